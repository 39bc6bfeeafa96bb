package workloads

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// DrainLocalStorage finds pods with emptyDir volumes if kubectl drain failed and no PodDisruptionBudget explains it. Without
// --delete-emptydir-data one such pod makes kubectl refuse the whole node. Most pods have such volumes, so without a failed drain
// they mean nothing.
var DrainLocalStorage = &triage.Rule{
	ID:    "drain-local-storage",
	Doc:   "After a failed drain, finds pods with emptyDir volumes on the cordoned node.",
	Needs: []evidence.Kind{evidence.Nodes, evidence.Pods, evidence.Messages},
	Check: func(p *triage.Pass) {
		if len(facts.Said(p, "drain-failed")) == 0 {
			return
		}
		budgets := mechanics.NewBudgets(p.Snapshot.PDBs())
		for _, n := range p.Snapshot.Nodes() {
			if !n.Spec.Unschedulable {
				continue
			}
			var names []string
			unknown := 0
			for _, pod := range p.Snapshot.PodsOn(n.Name) {
				switch {
				case pod.Spec == nil:
					unknown++
				case facts.Evictable(pod) && usesEmptyDir(pod):
					names = append(names, pod.Key())
				}
			}
			switch {
			case facts.Holding(p, budgets, n) != nil:
			case len(names) > 0:
				p.Found(triage.Claim{
					Says: "drain-blocked-local-storage", Subject: n.Subject(), Certainty: triage.Possible,
					Evidence: []evidence.Ref{facts.NodeRef(n, "pods with emptyDir volumes", "%s", wording.Some(names))},
					Summary:  fmt.Sprintf("a drain failed: %s on %s with emptyDir volumes (kubectl drain needs --delete-emptydir-data)", wording.Count(len(names), "pod"), n.Name),
				})
			case unknown > 0:
				p.Unknown("which pods on "+n.Name+" have emptyDir volumes", "their specs were not read", shell.Format("kubectl get pods -A -o json --field-selector spec.nodeName={node}", n.Name))
			default:
				p.RuleOut("drain-blocked-local-storage", n.Subject(), "no pod that a drain would evict has an emptyDir volume")
			}
		}
	},
}

func usesEmptyDir(pod *evidence.Pod) bool {
	for _, v := range pod.Spec.Volumes {
		if v.EmptyDir != nil {
			return true
		}
	}
	return false
}

package nodes

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// FullNodes finds nodes at their pod limit if the pods of the cluster were not read, so that waiting pods are unknown. If they were
// read, PodsLimit reports it.
var FullNodes = &triage.Rule{
	ID:    "full-nodes",
	Doc:   "Finds nodes at their pod limit, if pending pods were not read.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.Nodes},
	Reads: []evidence.Kind{evidence.Pods, evidence.Kubelets, evidence.Messages},
	Check: func(p *triage.Pass) {
		if p.Snapshot.Covers(evidence.Pods) == evidence.Complete {
			return
		}
		for _, n := range p.Snapshot.Nodes() {
			limit := int(n.Node.Status.Allocatable.Name(corev1.ResourcePods, "").Value())
			count, ref := facts.PodsOf(p, n)
			if limit == 0 || count < limit {
				continue
			}
			if trouble, _ := strain(p, n); trouble != "" && crowd(count, limit) != "" {
				continue // CrowdedNodes has more detail
			}
			p.Found(triage.Claim{
				Says: "pod-density-limit", Subject: n.Subject(), Certainty: triage.Possible, Evidence: []evidence.Ref{ref},
				Summary: fmt.Sprintf("node %s has %d of at most %d pods: no more pods can be scheduled to it", n.Name, count, limit),
			})
			p.Unknown("whether pods are pending because of the pod limit of "+n.Name, "the pods of the cluster were not read", "kubectl get events -A | grep -E 'Too many pods|OutOfpods'")
		}
	},
}

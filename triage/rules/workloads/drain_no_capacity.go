package workloads

import (
	"fmt"
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// DrainNoCapacity combines a pod that waits for eviction with the pending replacement of an evicted one. The replacement fits on no
// node, so the PodDisruptionBudget never allows the next eviction.
var DrainNoCapacity = &triage.Rule{
	ID:    "drain-no-capacity",
	Doc:   "Finds replacement pods that are Pending because no node has capacity, while a PodDisruptionBudget blocks the eviction of the other pods from a cordoned node.",
	Needs: []evidence.Kind{evidence.Nodes, evidence.Pods, evidence.PDBs},
	Check: func(p *triage.Pass) {
		budgets := mechanics.NewBudgets(p.Snapshot.PDBs())
		waiting := map[evidence.Owner]*evidence.Pod{}
		for _, pod := range p.Snapshot.PodsOn("") {
			owned := pod.Owner != (evidence.Owner{})
			if owned && facts.NoRoom(pod) != "" && !facts.Young(p, pod) {
				waiting[topOwner(p, pod)] = pod
			}
		}
		for _, n := range p.Snapshot.Nodes() {
			if !n.Spec.Unschedulable {
				continue
			}
			found := false
			for _, pod := range p.Snapshot.PodsOn(n.Name) {
				replacement := waiting[topOwner(p, pod)]
				if !facts.Evictable(pod) || replacement == nil {
					continue
				}
				for _, b := range budgets.Of(pod) {
					if mechanics.Answer(b, pod.Ready) != mechanics.Refused {
						continue
					}
					found = true
					p.Found(triage.Claim{
						Says: "drain-blocked-no-capacity", Subject: replacement.Subject(), Certainty: triage.Likely, Since: replacement.Created,
						Fill: map[string]string{"pdb": b.Name, "namespace": b.Namespace, "pod": pod.Name, "node": n.Name},
						Summary: fmt.Sprintf("pod %s, a replacement from cordoned node %s, fits on no node (%s), so PodDisruptionBudget %s allows no further eviction",
							replacement.Key(), n.Name, facts.NoRoom(replacement), b.Name),
						Evidence: []evidence.Ref{facts.PodRef(replacement, ".status.conditions[PodScheduled]", "%s", replacement.Condition("PodScheduled").Message), facts.PDBRef(b)},
					})
				}
			}
			if !found {
				p.RuleOut("drain-blocked-no-capacity", n.Subject(), "no replacement of this node's pods is Pending")
			}
		}
	},
	JudgesInstead: func(p *triage.Pass, m *evidence.Match) bool {
		pod := p.Snapshot.Pod(m.Subject.Namespace, m.Subject.Name)
		if m.Subject.Kind != "Pod" || pod == nil || pod.Created.IsZero() {
			return false
		}
		return !slices.ContainsFunc(p.Snapshot.Nodes(), func(n *evidence.Node) bool { return mayReplaceOneOf(n, pod) })
	},
}

// mayReplaceOneOf reports whether a node is cordoned and the pod may replace one that was evicted from it. A pod that is older than
// the cordon was not part of the drain.
func mayReplaceOneOf(n *evidence.Node, pod *evidence.Pod) bool {
	if !n.Spec.Unschedulable {
		return false
	}
	at, _ := n.CordonedBy()
	return at.IsZero() || !pod.Created.Before(at)
}

// topOwner returns the top controller of the pod, because a new ReplicaSet of a Deployment replaces pods of the old one.
func topOwner(p *triage.Pass, pod *evidence.Pod) evidence.Owner {
	if w := p.Snapshot.TopOwnerOf(pod); w != nil {
		return evidence.Owner{Kind: w.Kind, Name: w.Namespace + "/" + w.Name}
	}
	return evidence.Owner{Kind: pod.Owner.Kind, Name: pod.Namespace + "/" + pod.Owner.Name}
}

package facts

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
)

// Evictable reports whether a drain would evict the pod subject to its PodDisruptionBudgets: it runs, is not being deleted, and is
// no DaemonSet or static pod.
func Evictable(pod *evidence.Pod) bool {
	return !pod.Partial && mechanics.AsksBudgets(pod) && !mechanics.TiedToNode(pod)
}

// PDBRef quotes the status of a PodDisruptionBudget.
func PDBRef(b *evidence.PDB) evidence.Ref {
	return evidence.Ref{
		Source: "poddisruptionbudget/" + b.Namespace + "/" + b.Name, Locator: ".status",
		Text: fmt.Sprintf("disruptionsAllowed=%d currentHealthy=%d desiredHealthy=%d expectedPods=%d",
			b.Status.DisruptionsAllowed, b.Status.CurrentHealthy, b.Status.DesiredHealthy, b.Status.ExpectedPods),
	}
}

// Holding returns the first PodDisruptionBudget that allows no eviction of a pod on the node, or nil.
func Holding(p *triage.Pass, budgets mechanics.Budgets, n *evidence.Node) *evidence.PDB {
	for _, pod := range p.Snapshot.PodsOn(n.Name) {
		for _, b := range budgets.Of(pod) {
			if Evictable(pod) && mechanics.Answer(b, pod.Ready) == mechanics.Refused {
				return b
			}
		}
	}
	return nil
}

package rules

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// evictable tells whether a drain would evict the pod by way of its budgets: it runs, nobody deletes it yet,
// and it belongs to no DaemonSet and no file of the kubelet.
func evictable(pod *evidence.Pod) bool {
	return !pod.Partial && mechanics.AsksBudgets(pod) && !mechanics.TiedToNode(pod)
}

func pdbRef(b *evidence.PDB) evidence.Ref {
	return evidence.Ref{
		Source: "poddisruptionbudget/" + b.Namespace + "/" + b.Name, Locator: ".status",
		Text: fmt.Sprintf("disruptionsAllowed=%d currentHealthy=%d desiredHealthy=%d expectedPods=%d",
			b.Status.DisruptionsAllowed, b.Status.CurrentHealthy, b.Status.DesiredHealthy, b.Status.ExpectedPods),
	}
}

package rules

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/nodetriage/nodetriage/evidence"
)

// budgets finds the disruption budgets of a pod, by namespace.
type budgets map[string][]budget

type budget struct {
	pdb      *evidence.PDB
	selector labels.Selector
}

func newBudgets(s *evidence.Snapshot) budgets {
	out := budgets{}
	for _, b := range s.Data().PDBs {
		selector, err := metav1.LabelSelectorAsSelector(b.Spec.Selector)
		if b.Partial || err != nil || b.Spec.Selector == nil {
			continue // the API server ignores an invalid selector too
		}
		out[b.Namespace] = append(out[b.Namespace], budget{b, selector})
	}
	return out
}

func (b budgets) of(pod *evidence.Pod) []*evidence.PDB {
	var out []*evidence.PDB
	for _, x := range b[pod.Namespace] {
		if x.selector.Matches(labels.Set(pod.Labels)) {
			out = append(out, x.pdb)
		}
	}
	return out
}

// evictable tells whether a drain would evict the pod by way of its budgets: it runs, nobody deletes it yet,
// and it belongs to no DaemonSet and no file of the kubelet. Pods that are Pending are deleted without
// asking (kubernetes pkg/registry/core/pod/storage/eviction.go v1.36.3).
func evictable(pod *evidence.Pod) bool {
	return !pod.Partial && !pod.Finished() && pod.Phase != corev1.PodPending && !pod.Deleting() && !pod.Mirror && pod.Owner.Kind != "DaemonSet"
}

// refuses tells whether the budget forbids the eviction of the pod. Conditions, in the order of the eviction API:
//   - a pod that is not ready may go where the policy is AlwaysAllow;
//   - a pod that is not ready may go while enough others are healthy, and the budget wants some;
//   - else the budget must have a disruption left.
func refuses(b *evidence.PDB, pod *evidence.Pod) bool {
	st := b.Status
	if pod.Ready == evidence.False {
		if policy := b.Spec.UnhealthyPodEvictionPolicy; policy != nil && *policy == policyv1.AlwaysAllow {
			return false
		}
		if st.CurrentHealthy >= st.DesiredHealthy && st.DesiredHealthy > 0 {
			return false
		}
	}
	return st.DisruptionsAllowed <= 0
}

// never tells whether a budget forbids every eviction even when all its pods are healthy.
func never(b *evidence.PDB) bool {
	return b.Status.ExpectedPods > 0 && b.Status.DesiredHealthy >= b.Status.ExpectedPods
}

func pdbRef(b *evidence.PDB) evidence.Ref {
	return evidence.Ref{
		Source: "poddisruptionbudget/" + b.Namespace + "/" + b.Name, Locator: ".status",
		Text: fmt.Sprintf("disruptionsAllowed=%d currentHealthy=%d desiredHealthy=%d expectedPods=%d",
			b.Status.DisruptionsAllowed, b.Status.CurrentHealthy, b.Status.DesiredHealthy, b.Status.ExpectedPods),
	}
}

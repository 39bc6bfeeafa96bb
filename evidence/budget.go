package evidence

import (
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// Budgets finds the disruption budgets of pods, by namespace.
type Budgets map[string][]selected

type selected struct {
	pdb      *PDB
	selector labels.Selector
}

// NewBudgets indexes the budgets. One whose selector is missing or invalid holds no pod, as the API server
// has it.
func NewBudgets(pdbs []*PDB) Budgets {
	out := Budgets{}
	for _, b := range pdbs {
		selector, err := metav1.LabelSelectorAsSelector(b.Spec.Selector)
		if b.Partial || err != nil || b.Spec.Selector == nil {
			continue
		}
		out[b.Namespace] = append(out[b.Namespace], selected{b, selector})
	}
	return out
}

// Of lists the budgets that hold the pod.
func (b Budgets) Of(pod *Pod) []*PDB {
	var out []*PDB
	for _, x := range b[pod.Namespace] {
		if x.selector.Matches(labels.Set(pod.Labels)) {
			out = append(out, x.pdb)
		}
	}
	return out
}

// AsksBudgets tells whether an eviction of the pod asks its budgets: pods that are Pending, have ended or are
// being deleted already are deleted without asking
// (kubernetes pkg/registry/core/pod/storage/eviction.go canIgnorePDB, v1.36.3).
func (p *Pod) AsksBudgets() bool {
	return !p.Finished() && p.Phase != corev1.PodPending && !p.Deleting()
}

// Eviction is a budget's answer to the eviction of one pod.
type Eviction int

// The answers. Free leaves the budget as it is, Counted takes one of its disruptions.
const (
	Refused Eviction = iota
	Free
	Counted
)

// Answer is what the budget says to the eviction of a pod that asks it. Conditions, in the order of
// kubernetes pkg/registry/core/pod/storage/eviction.go, v1.36.3:
//   - a pod that is not ready may go where the policy is AlwaysAllow;
//   - a pod that is not ready may go while enough others are healthy, and the budget wants some;
//   - the controller must have seen the budget as it is now;
//   - the budget must have a disruption left.
func (b *PDB) Answer(pod *Pod) Eviction {
	st := b.Status
	if pod.Ready == False {
		if policy := b.Spec.UnhealthyPodEvictionPolicy; policy != nil && *policy == policyv1.AlwaysAllow {
			return Free
		}
		if st.CurrentHealthy >= st.DesiredHealthy && st.DesiredHealthy > 0 {
			return Free
		}
	}
	if b.Stale() || st.DisruptionsAllowed <= 0 {
		return Refused
	}
	return Counted
}

// Stale tells whether the disruption controller has not yet seen the budget as it is now: until then every
// counted eviction is refused.
func (b *PDB) Stale() bool { return b.Status.ObservedGeneration < b.Generation }

// Never tells whether the budget forbids every eviction even when all its pods are healthy.
func (b *PDB) Never() bool {
	return b.Status.ExpectedPods > 0 && b.Status.DesiredHealthy >= b.Status.ExpectedPods
}

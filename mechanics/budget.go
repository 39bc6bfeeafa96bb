package mechanics

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/nodetriage/nodetriage/evidence"
)

// Budgets finds the disruption budgets of pods, by namespace.
type Budgets map[string][]selected

type selected struct {
	pdb      *evidence.PDB
	selector labels.Selector
}

// NewBudgets indexes the budgets. One whose selector is missing or invalid holds no pod, as the API server
// has it (pkg/registry/core/pod/storage/eviction.go getPodDisruptionBudgets, v1.36.3).
func NewBudgets(pdbs []*evidence.PDB) Budgets {
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
func (b Budgets) Of(pod *evidence.Pod) []*evidence.PDB {
	var out []*evidence.PDB
	for _, x := range b[pod.Namespace] {
		if x.selector.Matches(labels.Set(pod.Labels)) {
			out = append(out, x.pdb)
		}
	}
	return out
}

// Refusing lists the budgets that refuse the eviction of the pod now. A pod that several budgets hold is refused whatever
// they allow (pkg/registry/core/pod/storage/eviction.go Create, v1.36.3).
func (b Budgets) Refusing(pod *evidence.Pod) []*evidence.PDB {
	held := b.Of(pod)
	switch {
	case !AsksBudgets(pod):
		return nil
	case len(held) > 1:
		return held
	}
	return slices.DeleteFunc(held, func(pdb *evidence.PDB) bool { return Answer(pdb, pod.Ready) != Refused })
}

// AsksBudgets reports whether an eviction of the pod asks its budgets: pods that are Pending, have ended or are
// being deleted already are deleted without asking
// (pkg/registry/core/pod/storage/eviction.go canIgnorePDB, v1.36.3).
func AsksBudgets(p *evidence.Pod) bool {
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
// pkg/registry/core/pod/storage/eviction.go, v1.36.3:
//   - a pod that is not ready may go where the policy is AlwaysAllow;
//   - a pod that is not ready may go while enough others are healthy, and the budget wants some;
//   - the controller must have seen the budget as it is now;
//   - the budget must have a disruption left.
//
// Of a pod whose readiness is not known the answer is that for a ready one.
func Answer(b *evidence.PDB, ready evidence.Fact) Eviction {
	st := b.Status
	if ready == evidence.False {
		if policy := b.Spec.UnhealthyPodEvictionPolicy; policy != nil && *policy == policyv1.AlwaysAllow {
			return Free
		}
		if st.CurrentHealthy >= st.DesiredHealthy && st.DesiredHealthy > 0 {
			return Free
		}
	}
	if Stale(b) || st.DisruptionsAllowed <= 0 {
		return Refused
	}
	return Counted
}

// Stale reports whether the disruption controller has not yet seen the budget as it is now: until then every
// counted eviction is refused.
func Stale(b *evidence.PDB) bool { return b.Status.ObservedGeneration < b.Generation }

// NeverAllows reports whether the budget forbids every eviction even when all its pods are healthy. Where the counts of its
// controller were not read, it does if it would for any number of pods.
func NeverAllows(b *evidence.PDB) bool {
	if !b.Counted() {
		const many = 1 << 20 // more pods than a budget names
		return DesiredHealthy(b, many) == many
	}
	return b.Status.ExpectedPods > 0 && b.Status.DesiredHealthy >= b.Status.ExpectedPods
}

// Bound is what the budget asks for: minAvailable 2.
func Bound(b *evidence.PDB) string {
	switch {
	case b.Spec.MinAvailable != nil:
		return "minAvailable " + b.Spec.MinAvailable.String()
	case b.Spec.MaxUnavailable != nil:
		return "maxUnavailable " + b.Spec.MaxUnavailable.String()
	}
	return "no bound"
}

// AllWork reports whether pods of the namespace are in the evidence and all of them work: a budget of them that allows nothing then
// wants as many as there are.
func AllWork(s *evidence.Snapshot, namespace string) bool {
	seen := 0
	for _, p := range s.Pods() {
		if p.Namespace != namespace || p.Finished() || !p.Stated() {
			continue
		}
		if !p.Works() {
			return false
		}
		seen++
	}
	return seen > 0
}

// SyncFailed returns the disruption controller's message where it cannot compute the budget, which then allows nothing; ""
// if it can
// (failSafe of pkg/controller/disruption/disruption.go, v1.36.3).
func SyncFailed(b *evidence.PDB) string {
	for _, c := range b.Status.Conditions {
		if c.Type == policyv1.DisruptionAllowedCondition && c.Reason == policyv1.SyncFailedReason {
			return c.Message
		}
	}
	return ""
}

// DesiredHealthy is how many of the expected pods the budget wants; percentages are rounded up
// (getExpectedPodCount of pkg/controller/disruption/disruption.go, v1.36.3).
func DesiredHealthy(b *evidence.PDB, expected int) int {
	scaled := func(v *intstr.IntOrString) int {
		n, err := intstr.GetScaledValueFromIntOrPercent(v, expected, true)
		if err != nil {
			return expected
		}
		return n
	}
	switch {
	case b.Spec.MaxUnavailable != nil:
		return max(0, expected-scaled(b.Spec.MaxUnavailable))
	case b.Spec.MinAvailable != nil:
		return scaled(b.Spec.MinAvailable)
	}
	return 0
}

// Healthy reports whether the budget counts the pod as healthy: it is ready, nobody deletes it, and no eviction of it has
// been granted
// (countHealthyPods of pkg/controller/disruption/disruption.go, v1.36.3).
func Healthy(b *evidence.PDB, p *evidence.Pod) bool {
	_, granted := b.Status.DisruptedPods[p.Name]
	return p.Ready == evidence.True && !p.Deleting() && !granted
}

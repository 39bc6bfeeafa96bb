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

// Budgets finds the PodDisruptionBudgets of pods, by namespace.
type Budgets map[string][]selected

type selected struct {
	pdb      *evidence.PDB
	selector labels.Selector
}

// NewBudgets indexes PodDisruptionBudgets. Like in the API server, a missing or invalid selector matches no pod
// (pkg/registry/core/pod/storage/eviction.go getPodDisruptionBudgets, v1.36.3).
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

// Of returns the PodDisruptionBudgets that select the pod.
func (b Budgets) Of(pod *evidence.Pod) []*evidence.PDB {
	var out []*evidence.PDB
	for _, x := range b[pod.Namespace] {
		if x.selector.Matches(labels.Set(pod.Labels)) {
			out = append(out, x.pdb)
		}
	}
	return out
}

// Refusing returns the PodDisruptionBudgets that reject the eviction of the pod now. If several PodDisruptionBudgets
// select a pod, its eviction is always rejected (pkg/registry/core/pod/storage/eviction.go Create, v1.36.3).
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

// AsksBudgets reports whether an eviction of the pod checks PodDisruptionBudgets. The API server skips the check for
// pods that are Pending, completed or terminating (pkg/registry/core/pod/storage/eviction.go canIgnorePDB, v1.36.3).
func AsksBudgets(p *evidence.Pod) bool {
	return !p.Finished() && p.Phase != corev1.PodPending && !p.Deleting()
}

// Eviction is the answer of a PodDisruptionBudget to the eviction of one pod.
type Eviction int

// Answers. Free does not change the status, Counted uses one allowed disruption.
const (
	Refused Eviction = iota
	Free
	Counted
)

// Answer returns the answer to the eviction of a pod. Conditions, in the order of
// pkg/registry/core/pod/storage/eviction.go, v1.36.3:
//   - a pod that is not ready is evictable if the policy is AlwaysAllow;
//   - a pod that is not ready is evictable while enough others are healthy and desiredHealthy is above zero;
//   - the controller must have observed the current generation;
//   - disruptionsAllowed must be above zero.
//
// A pod with unknown readiness counts as ready.
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

// Stale reports whether the disruption controller has not observed the current generation. Until then every counted
// eviction is rejected.
func Stale(b *evidence.PDB) bool { return b.Status.ObservedGeneration < b.Generation }

// NeverAllows reports whether the PodDisruptionBudget blocks every eviction even if all its pods are healthy. Without a
// status it must block for any number of pods.
func NeverAllows(b *evidence.PDB) bool {
	if !b.Counted() {
		const many = 1 << 20 // more pods than any PodDisruptionBudget selects
		return DesiredHealthy(b, many) == many
	}
	return b.Status.ExpectedPods > 0 && b.Status.DesiredHealthy >= b.Status.ExpectedPods
}

// Bound returns the limit in the spec: minAvailable 2.
func Bound(b *evidence.PDB) string {
	switch {
	case b.Spec.MinAvailable != nil:
		return "minAvailable " + b.Spec.MinAvailable.String()
	case b.Spec.MaxUnavailable != nil:
		return "maxUnavailable " + b.Spec.MaxUnavailable.String()
	}
	return "no bound"
}

// AllWork reports whether the evidence has pods of the namespace and all of them are healthy. A PodDisruptionBudget
// that allows nothing then requires as many pods as exist.
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

// SyncFailed returns the message of the disruption controller if it cannot compute the status, which then allows
// nothing (failSafe of pkg/controller/disruption/disruption.go, v1.36.3). Otherwise it returns "".
func SyncFailed(b *evidence.PDB) string {
	for _, c := range b.Status.Conditions {
		if c.Type == policyv1.DisruptionAllowedCondition && c.Reason == policyv1.SyncFailedReason {
			return c.Message
		}
	}
	return ""
}

// DesiredHealthy returns how many of the expected pods must be healthy. Percentages are rounded up (getExpectedPodCount
// of pkg/controller/disruption/disruption.go, v1.36.3).
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

// Healthy reports whether the controller counts the pod as healthy: it is ready, not terminating, and has no accepted
// eviction (countHealthyPods of pkg/controller/disruption/disruption.go, v1.36.3).
func Healthy(b *evidence.PDB, p *evidence.Pod) bool {
	_, granted := b.Status.DisruptedPods[p.Name]
	return p.Ready == evidence.True && !p.Deleting() && !granted
}

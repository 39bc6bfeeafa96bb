package evidence

import (
	"encoding/json"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A mark outlives what it is about: the owner of an object may change the field and leave the annotation. These functions
// report whether the field still has the value that a drain wrote.

// SuspendedSpec reports whether a PodDisruptionBudget has the selector of a suspended one, so that it selects no pod.
func SuspendedSpec(spec *policyv1.PodDisruptionBudgetSpec) bool {
	return spec.Selector != nil && spec.Selector.MatchLabels[MarkSuspend] != ""
}

// Suspended reports whether a drain suspended the budget, and returns its mark; nil: the mark is missing or damaged.
func (b *PDB) Suspended() (*Mark, bool) {
	if !SuspendedSpec(&b.Spec) {
		return nil, false
	}
	return ReadMark(b.Annotations, MarkSuspend), true
}

// Surged returns the mark of a Deployment that still has the replicas that a drain gave it, or nil.
func (w *Workload) Surged() *Mark {
	if w.Kind != "Deployment" || w.Replicas != Surged {
		return nil
	}
	return ReadMark(w.Annotations, MarkSurge)
}

// Rescaled reports whether somebody else set the replicas of a surged Deployment after the drain did. The API server records who
// wrote them last; without that record the number tells.
func Rescaled(d *appsv1.Deployment) bool {
	others := func(manager string) bool { return manager != FieldManager }
	return wanted(d.Spec.Replicas) != Surged || slices.ContainsFunc(Managers(d.ManagedFields, "spec", "replicas"), others)
}

// DrainCordon returns the mark of a node that is still cordoned by the drain that wrote it, or nil.
func DrainCordon(n *corev1.Node) *Mark {
	m := ReadMark(n.Annotations, MarkCordon)
	if m == nil || !n.Spec.Unschedulable || recordoned(n, m) {
		return nil
	}
	return m
}

// recordoned reports whether somebody uncordoned the node after it was marked and cordoned it again. The API server records who
// wrote the field last. Without that record the taint of the cordon is as old as the cordon.
func recordoned(n *corev1.Node, m *Mark) bool {
	if managers := cordonManagers(n.ManagedFields); len(managers) > 0 {
		return slices.ContainsFunc(managers, func(name string) bool { return name != FieldManager })
	}
	for _, t := range n.Spec.Taints {
		if t.Key == corev1.TaintNodeUnschedulable && t.TimeAdded != nil {
			return t.TimeAdded.Sub(m.Renewed) > time.Minute
		}
	}
	return false
}

// cordonManagers are the managers of spec.unschedulable. Of a trimmed node only their entries are left, without the fields.
func cordonManagers(list []metav1.ManagedFieldsEntry) []string {
	var out []string
	for _, m := range list {
		if m.FieldsV1 == nil {
			out = append(out, m.Manager)
		}
	}
	return append(out, Managers(list, "spec", "unschedulable")...)
}

// ancient is the manager to which the API server ascribes the fields of several old ones: whose they are is not known
// (kubernetes apimachinery pkg/util/managedfields/internal/capmanagers.go).
const ancient = "ancient-changes"

// Managers are the field managers that the API server names for a field of an object, by the path of the field.
func Managers(list []metav1.ManagedFieldsEntry, path ...string) []string {
	var out []string
	for _, m := range list {
		if m.Manager != ancient && m.FieldsV1 != nil && hasField(m.FieldsV1.GetRawBytes(), path) {
			out = append(out, m.Manager)
		}
	}
	return out
}

func hasField(fields []byte, path []string) bool {
	for _, name := range path {
		var at map[string]json.RawMessage
		if json.Unmarshal(fields, &at) != nil || at["f:"+name] == nil {
			return false
		}
		fields = at["f:"+name]
	}
	return true
}

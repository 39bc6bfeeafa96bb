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

// A mark may outlive its change: the owner of an object may change the field and leave the annotation. These functions
// report whether the field still has the value that a drain wrote.

// SuspendedSpec reports whether a PodDisruptionBudget has the selector of a suspended one, which selects no pod.
func SuspendedSpec(spec *policyv1.PodDisruptionBudgetSpec) bool {
	return spec.Selector != nil && spec.Selector.MatchLabels[MarkSuspend] != ""
}

// Suspended reports whether a drain suspended the PodDisruptionBudget, and returns its mark; nil: the mark is missing
// or damaged.
func (b *PDB) Suspended() (*Mark, bool) {
	if !SuspendedSpec(&b.Spec) {
		return nil, false
	}
	return ReadMark(b.Annotations, MarkSuspend), true
}

// Surged returns the mark of a Deployment that still has the replicas of a drain, or nil.
func (w *Workload) Surged() *Mark {
	if w.Kind != "Deployment" || w.Replicas != Surged {
		return nil
	}
	return ReadMark(w.Annotations, MarkSurge)
}

// Rescaled reports whether another client set the replicas of a surged Deployment after the drain. The API server
// records the last writer in managed fields; without them the number decides.
func Rescaled(d *appsv1.Deployment) bool {
	others := func(manager string) bool { return manager != FieldManager }
	return wanted(d.Spec.Replicas) != Surged || slices.ContainsFunc(Managers(d.ManagedFields, "spec", "replicas"), others)
}

// DrainCordon returns the mark of a node that the drain of the mark still cordons, or nil.
func DrainCordon(n *corev1.Node) *Mark {
	m := ReadMark(n.Annotations, MarkCordon)
	if m == nil || !n.Spec.Unschedulable || recordoned(n, m) {
		return nil
	}
	return m
}

// recordoned reports whether another client uncordoned and cordoned the node again after the mark. The API server
// records the last writer in managed fields. Without them, the taint is as old as the cordon.
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

// cordonManagers returns the managers of spec.unschedulable. A trimmed node has only their entries, without the fields.
func cordonManagers(list []metav1.ManagedFieldsEntry) []string {
	var out []string
	for _, m := range list {
		if m.FieldsV1 == nil {
			out = append(out, m.Manager)
		}
	}
	return append(out, Managers(list, "spec", "unschedulable")...)
}

// ancient is the manager that replaces several old ones in managed fields; the original managers are unknown
// (kubernetes apimachinery pkg/util/managedfields/internal/capmanagers.go).
const ancient = "ancient-changes"

// Managers returns the field managers of a field by its path.
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

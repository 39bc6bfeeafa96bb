package mechanics

import "github.com/nodetriage/nodetriage/evidence"

// Priority returns the priority of the pod, or 0 if it is not set, like the scheduler (PodPriority of
// k8s.io/component-helpers scheduling/corev1/helpers.go, v1.36.3).
func Priority(p *evidence.Pod) int32 {
	if p.Spec == nil || p.Spec.Priority == nil {
		return 0
	}
	return *p.Spec.Priority
}

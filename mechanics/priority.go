package mechanics

import "github.com/nodetriage/nodetriage/evidence"

// Priority is the priority of the pod; the scheduler takes 0 where none was admitted
// (PodPriority of k8s.io/component-helpers scheduling/corev1/helpers.go, v1.36.3).
func Priority(p *evidence.Pod) int32 {
	if p.Spec == nil || p.Spec.Priority == nil {
		return 0
	}
	return *p.Spec.Priority
}

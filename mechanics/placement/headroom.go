package placement

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Headroom returns the allocatable resources minus requests, never below zero.
func Headroom(allocatable corev1.ResourceList, requested func(corev1.ResourceName) resource.Quantity) corev1.ResourceList {
	out := make(corev1.ResourceList, len(allocatable))
	for name, q := range allocatable {
		q = q.DeepCopy()
		q.Sub(requested(name))
		if q.Sign() < 0 {
			q = resource.Quantity{}
		}
		out[name] = q
	}
	return out
}

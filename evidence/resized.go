package evidence

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

// resized returns the containers of p whose allocated resources differ from the spec.
func resized(p *corev1.Pod) []Resized {
	wants := map[string]corev1.ResourceList{}
	for _, list := range [][]corev1.Container{p.Spec.InitContainers, p.Spec.Containers} {
		for _, c := range list {
			wants[c.Name] = c.Resources.Requests
		}
	}
	var out []Resized
	for _, list := range [][]corev1.ContainerStatus{p.Status.InitContainerStatuses, p.Status.ContainerStatuses} {
		for _, c := range list {
			if c.Resources == nil {
				continue
			}
			same := func(booked corev1.ResourceList) bool {
				return len(booked) == 0 || equality.Semantic.DeepEqual(booked, wants[c.Name])
			}
			if !same(c.Resources.Requests) || !same(c.AllocatedResources) {
				out = append(out, Resized{Name: c.Name, Actual: c.Resources.Requests, Allocated: c.AllocatedResources})
			}
		}
	}
	return out
}

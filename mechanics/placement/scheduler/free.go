package scheduler

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Free returns the allocatable resources of a node minus requests, never below zero.
func (c *Cluster) Free(node string) corev1.ResourceList {
	n := c.nodes[node]
	if n == nil {
		return nil
	}
	out := n.Node().Status.Allocatable.DeepCopy()
	for name, q := range out {
		switch name {
		case corev1.ResourceCPU:
			q.Sub(*resource.NewMilliQuantity(n.Requested.MilliCPU, resource.DecimalSI))
		case corev1.ResourceMemory:
			q.Sub(*resource.NewQuantity(n.Requested.Memory, resource.BinarySI))
		case corev1.ResourceEphemeralStorage:
			q.Sub(*resource.NewQuantity(n.Requested.EphemeralStorage, resource.BinarySI))
		case corev1.ResourcePods:
			q.Sub(*resource.NewQuantity(int64(len(n.Pods)), resource.DecimalSI))
		default:
			q.Sub(*resource.NewQuantity(n.Requested.ScalarResources[name], resource.DecimalSI))
		}
		if q.Sign() < 0 {
			q = resource.Quantity{}
		}
		out[name] = q
	}
	return out
}

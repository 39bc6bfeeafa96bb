package scheduler

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/nodetriage/nodetriage/mechanics/placement"
)

// Free returns the allocatable resources of a node minus requests, never below zero.
func (c *Cluster) Free(node string) corev1.ResourceList {
	n := c.nodes[node]
	if n == nil {
		return nil
	}
	return placement.Headroom(n.Node().Status.Allocatable, func(name corev1.ResourceName) resource.Quantity {
		switch name {
		case corev1.ResourceCPU:
			return *resource.NewMilliQuantity(n.Requested.MilliCPU, resource.DecimalSI)
		case corev1.ResourceMemory:
			return *resource.NewQuantity(n.Requested.Memory, resource.BinarySI)
		case corev1.ResourceEphemeralStorage:
			return *resource.NewQuantity(n.Requested.EphemeralStorage, resource.BinarySI)
		case corev1.ResourcePods:
			return *resource.NewQuantity(int64(len(n.Pods)), resource.DecimalSI)
		}
		return *resource.NewQuantity(n.Requested.ScalarResources[name], resource.DecimalSI)
	})
}

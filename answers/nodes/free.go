package nodes

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/placement"
)

// Free is headroom: allocatable minus the requests of the pods. null: unknown. For several nodes it is the sum of the nodes that are Ready and
// not cordoned, because no others accept pods.
type Free struct {
	CPU     *int64           `json:"cpu"`    // millicores
	Memory  *int64           `json:"memory"` // bytes
	Pods    *int64           `json:"pods"`
	Devices map[string]int64 `json:"devices,omitempty"` // by extended resource: nvidia.com/gpu
}

// none is the headroom of no nodes.
func none() Free { return Free{CPU: number(0), Memory: number(0), Pods: number(0)} }

// Add adds the headroom of other nodes. A sum with an unknown part is unknown.
func (f *Free) Add(o Free) {
	f.CPU, f.Memory, f.Pods = plus(f.CPU, o.CPU), plus(f.Memory, o.Memory), plus(f.Pods, o.Pods)
	if len(o.Devices) > 0 && f.Devices == nil {
		f.Devices = map[string]int64{}
	}
	for name, n := range o.Devices {
		f.Devices[name] += n
	}
}

func plus(a, b *int64) *int64 {
	if a == nil || b == nil {
		return nil
	}
	return number(*a + *b)
}

// TotalFree returns the headroom of these nodes, and how many of them accept pods.
func TotalFree(list []*Node) (total Free, schedulable int) {
	total = none()
	for _, n := range list {
		if n.schedulable {
			schedulable++
			total.Add(n.Free)
		}
	}
	return total, schedulable
}

// free returns the headroom of a node, with the requests that are known.
func free(n *evidence.Node, requests corev1.ResourceList) (out Free) {
	known := corev1.ResourceList{}
	for name, q := range n.Node.Status.Allocatable {
		if _, ok := requests[name]; ok {
			known[name] = q
		}
	}
	for name, q := range placement.Headroom(known, func(name corev1.ResourceName) resource.Quantity { return requests[name] }) {
		switch {
		case name == corev1.ResourceCPU:
			out.CPU = number(q.MilliValue())
		case name == corev1.ResourceMemory:
			out.Memory = number(q.Value())
		case name == corev1.ResourcePods:
			out.Pods = number(q.Value())
		case mechanics.ExtendedResource(name):
			if out.Devices == nil {
				out.Devices = map[string]int64{}
			}
			out.Devices[string(name)] = q.Value()
		}
	}
	return out
}

// requestsOf returns the requests of the pods on a node; a missing resource is unknown. Without a request for a device, all are free.
func requestsOf(out *Node, n *evidence.Node, devices corev1.ResourceList) corev1.ResourceList {
	requests := corev1.ResourceList{}
	if out.Pods.Running != nil {
		requests[corev1.ResourcePods] = *resource.NewQuantity(int64(*out.Pods.Running), resource.DecimalSI)
	}
	if out.CPU.Requested != nil {
		requests[corev1.ResourceCPU] = *resource.NewMilliQuantity(*out.CPU.Requested, resource.DecimalSI)
	}
	if out.Memory.Requested != nil {
		requests[corev1.ResourceMemory] = *resource.NewQuantity(*out.Memory.Requested, resource.BinarySI)
	}
	if len(requests) < 3 { // some pods are unknown
		return requests
	}
	for name := range n.Node.Status.Allocatable {
		if mechanics.ExtendedResource(name) {
			requests[name] = resource.Quantity{}
		}
	}
	maps.Copy(requests, devices)
	return requests
}

// devicesOf returns the extended resources of a list; nil if it has none.
func devicesOf(list corev1.ResourceList) (out corev1.ResourceList) {
	for name, q := range list {
		if mechanics.ExtendedResource(name) {
			if out == nil {
				out = corev1.ResourceList{}
			}
			out[name] = q
		}
	}
	return out
}

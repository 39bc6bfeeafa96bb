package nodes

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/nodetriage/nodetriage/evidence"
)

// Sources of usage.
const (
	fromMetrics = "metrics API"
	fromKubelet = "kubelet" // its summary
)

// booked is the requests of one pod: CPU in millicores, memory in bytes.
type booked struct {
	cpu, memory int64
	devices     corev1.ResourceList // nil: none
}

func (b *builder) amounts(out *Node, n *evidence.Node) {
	have := n.Node.Status.Allocatable
	if len(have) == 0 {
		have = n.Node.Status.Capacity
	}
	if q, ok := have[corev1.ResourcePods]; ok {
		most := int(q.Value())
		out.Pods.Max = &most
	}
	if q, ok := have[corev1.ResourceCPU]; ok {
		out.CPU.Allocatable = number(q.MilliValue())
	}
	if q, ok := have[corev1.ResourceMemory]; ok {
		out.Memory.Allocatable = number(q.Value())
	}
	if u := b.snapshot.Usage(n.Name); u != nil {
		out.CPU.Used, out.Memory.Used, out.UsedFrom = number(u.CPU), number(u.Memory), fromMetrics
	} else if k := b.snapshot.Kubelet(n.Name); k != nil && k.Stats != nil && k.Stats.CPUUsed != nil && k.Stats.MemoryWorking != nil {
		out.CPU.Used, out.Memory.Used, out.UsedFrom = number(int64(*k.Stats.CPUUsed/1_000_000)), number(int64(*k.Stats.MemoryWorking)), fromKubelet
	}
	out.CPU.UsedShare, out.Memory.UsedShare = b.used(n, corev1.ResourceCPU).share, b.used(n, corev1.ResourceMemory).share
	b.pods(out, n)
}

// pods counts the pods of the node and adds up their requests. It uses the sums of a description if there are any, because its
// list of pods is often partial.
func (b *builder) pods(out *Node, n *evidence.Node) {
	all := b.snapshot.Covers(evidence.Pods) == evidence.Complete
	t := b.tally(n, all)
	out.Pods.NotWell = t.notWell
	read := all || t.running > 0
	switch {
	case n.PodCount > 0:
		out.Pods.Running = &n.PodCount
	case read:
		out.Pods.Running = &t.running
	}
	switch {
	case n.Requests != nil:
		if q, ok := n.Requests[corev1.ResourceCPU]; ok {
			out.CPU.Requested = number(q.MilliValue())
		}
		if q, ok := n.Requests[corev1.ResourceMemory]; ok {
			out.Memory.Requested = number(q.Value())
		}
	case read && t.specs:
		out.CPU.Requested, out.Memory.Requested = number(t.sum.cpu), number(t.sum.memory)
	}
	out.CPU.RequestedShare, out.Memory.RequestedShare = shareOf(out.CPU), shareOf(out.Memory)
	if n.Requests != nil || all { // else more pods may use the node
		out.Free = free(n, requestsOf(out, n, t.devices))
	}
}

// podTally is the pods of a node and their requests.
type podTally struct {
	running, notWell int
	specs            bool // all specs are known
	sum              booked
	devices          corev1.ResourceList
}

// tally counts the pods of the node. all: the list of pods is complete, so that a pod which only events or logs name is gone.
func (b *builder) tally(n *evidence.Node, all bool) podTally {
	t := podTally{specs: true, devices: devicesOf(n.Requests)}
	for _, p := range b.snapshot.PodsOn(n.Name) {
		gone := all && !p.Stated() && !p.Deleting()
		if ended(p) || gone {
			continue
		}
		t.running++
		if !p.Works() && (p.Stated() || p.Deleting()) {
			t.notWell++
		}
		if p.Spec == nil {
			t.specs = false
			continue
		}
		r := b.booked(p.Spec)
		t.sum.cpu += r.cpu
		t.sum.memory += r.memory
		for name, q := range r.devices {
			if n.Requests == nil {
				t.devices = plusDevice(t.devices, name, q)
			}
		}
	}
	return t
}

// shareOf returns requests as a percentage of allocatable, rounded down like kubectl describe does.
func shareOf(a Amount) *int {
	if a.Requested == nil || a.Allocatable == nil || *a.Allocatable <= 0 {
		return nil
	}
	share := int(float64(*a.Requested) / float64(*a.Allocatable) * 100)
	return &share
}

func plusDevice(sum corev1.ResourceList, name corev1.ResourceName, q resource.Quantity) corev1.ResourceList {
	if sum == nil {
		sum = corev1.ResourceList{}
	}
	total := sum[name]
	total.Add(q)
	sum[name] = total
	return sum
}

// booked caches the sum for each template, because thousands of pods share one.
func (b *builder) booked(spec *corev1.PodSpec) booked {
	r, ok := b.requests[spec]
	if !ok {
		list := evidence.Requests(spec)
		r = booked{list.Cpu().MilliValue(), list.Memory().Value(), devicesOf(list)}
		b.requests[spec] = r
	}
	return r
}

// ended reports whether the pod has terminated. In a table, the STATUS column shows it.
func ended(p *evidence.Pod) bool {
	switch p.Status {
	case "Completed", "Succeeded", "Evicted", "Failed":
		return true
	}
	return p.Finished()
}

func number(n int64) *int64 { return &n }

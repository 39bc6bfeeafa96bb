package nodes

import (
	"fmt"
	"sort"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/nodetriage/nodetriage/evidence"
)

// usual resources, in the order of kubectl describe.
var usual = []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage, corev1.ResourcePods}

// resourceNames lists the usual resources of the node, then devices. Huge pages of size zero are omitted.
func (b *builder) resourceNames(n *evidence.Node) []corev1.ResourceName {
	var out, more []corev1.ResourceName
	all := corev1.ResourceList{}
	for _, list := range []corev1.ResourceList{n.Node.Status.Allocatable, n.Node.Status.Capacity} {
		for name, q := range list {
			all[name] = q
		}
	}
	if b.snapshot.Usage(n.Name) != nil { // a table of usage contains only these
		all[corev1.ResourceCPU], all[corev1.ResourceMemory] = resource.Quantity{}, resource.Quantity{}
	}
	for _, name := range usual {
		if _, ok := all[name]; ok {
			out = append(out, name)
			delete(all, name)
		}
	}
	for name, q := range all {
		if q.IsZero() && strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix) || strings.HasPrefix(string(name), "attachable-volumes-") {
			continue
		}
		more = append(more, name)
	}
	sort.Slice(more, func(i, j int) bool { return more[i] < more[j] })
	return append(out, more...)
}

// requested adds up the requests of the pods on the node; false if a pod's spec is unknown.
func (b *builder) requested(node string) (corev1.ResourceList, bool) {
	sum := corev1.ResourceList{}
	pods := b.snapshot.PodsOn(node)
	if len(pods) == 0 && b.snapshot.Covers(evidence.Pods) != evidence.Complete {
		return nil, false
	}
	for _, p := range pods {
		if ended(p) {
			continue
		}
		if p.Spec == nil {
			return nil, false
		}
		for name, q := range evidence.Requests(p.Spec) {
			total := sum[name]
			total.Add(q)
			sum[name] = total
		}
	}
	return sum, true
}

// use is the current usage of a resource.
type use struct {
	amount string
	share  *int   // percentage of allocatable; nil: unknown
	from   string // source: metrics API, else the kubelet's summary; empty: none
}

func (b *builder) used(n *evidence.Node, name corev1.ResourceName) use {
	if u := b.snapshot.Usage(n.Name); u != nil {
		switch name {
		case corev1.ResourceCPU:
			return useOf(n, name, u.CPU, u.CPUPercent, fromMetrics)
		case corev1.ResourceMemory:
			return useOf(n, name, u.Memory, u.MemoryPercent, fromMetrics)
		}
	}
	k := b.snapshot.Kubelet(n.Name)
	if k == nil || k.Stats == nil {
		return use{}
	}
	switch fs := k.Stats.NodeFS; {
	case name == corev1.ResourceCPU && k.Stats.CPUUsed != nil:
		return useOf(n, name, int64(*k.Stats.CPUUsed/1_000_000), 0, fromKubelet)
	case name == corev1.ResourceMemory && k.Stats.MemoryWorking != nil:
		return useOf(n, name, int64(*k.Stats.MemoryWorking), 0, fromKubelet)
	case name == corev1.ResourceEphemeralStorage && fs != nil && fs.Capacity >= fs.Available:
		return use{Bytes(int64(fs.Capacity - fs.Available)), nil, fromKubelet}
	}
	return use{}
}

// useOf returns the usage of that amount: millicores of CPU, bytes of others. Without the node's allocatable it uses the
// printed percentage.
func useOf(n *evidence.Node, name corev1.ResourceName, amount int64, printed int, from string) use {
	q := *resource.NewQuantity(amount, resource.BinarySI)
	if name == corev1.ResourceCPU {
		q = *resource.NewMilliQuantity(amount, resource.DecimalSI)
	}
	out := use{amountText(name, q), nil, from}
	if have := n.Node.Status.Allocatable[name]; have.Sign() > 0 {
		printed = int(100*q.AsApproximateFloat64()/have.AsApproximateFloat64() + 0.5)
	}
	if printed > 0 {
		out.share = &printed
	}
	return out
}

func amountText(name corev1.ResourceName, q resource.Quantity) string {
	switch {
	case name == corev1.ResourceCPU:
		return CPU(q.MilliValue())
	case name == corev1.ResourceMemory || name == corev1.ResourceEphemeralStorage || strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix):
		return Bytes(q.Value())
	}
	return q.String()
}

// CPU formats millicores: 250m, 3.92, 16.
func CPU(milli int64) string {
	switch {
	case milli < 1000:
		return fmt.Sprintf("%dm", milli)
	case milli%1000 == 0:
		return fmt.Sprintf("%d", milli/1000)
	}
	return strings.TrimRight(fmt.Sprintf("%.2f", float64(milli)/1000), "0")
}

// Bytes formats a size with the binary unit that leaves one to four digits: 512Mi, 15.6Gi.
func Bytes(n int64) string {
	units := []string{"", "Ki", "Mi", "Gi", "Ti", "Pi"}
	f, i := float64(n), 0
	for f >= 1024 && i < len(units)-1 {
		f /= 1024
		i++
	}
	if f < 100 && i > 2 {
		return strings.TrimSuffix(fmt.Sprintf("%.1f", f), ".0") + units[i]
	}
	return fmt.Sprintf("%.0f", f) + units[i]
}

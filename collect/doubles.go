package collect

import (
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
)

// dropDoubles leaves one of each object: dumps hold many twice, as part of a list and alone, or as a table and
// in full. What was read in full counts more than what was read in part; of equals the later.
func dropDoubles(d *evidence.Data) {
	d.Nodes = once(d.Nodes, func(n *evidence.Node) string { return n.Name }, func(n *evidence.Node) bool { return n.Partial })
	d.Pods = once(d.Pods, func(p *evidence.Pod) string { return p.Key() }, func(p *evidence.Pod) bool { return p.Partial })
	d.Workloads = once(d.Workloads, func(w *evidence.Workload) evidence.Subject { return w.Subject() }, func(w *evidence.Workload) bool { return w.Partial })
	d.PDBs = once(d.PDBs, func(p *evidence.PDB) string { return p.Namespace + "/" + p.Name }, func(p *evidence.PDB) bool { return p.Partial })
	d.Leases = once(d.Leases, func(l *evidence.Lease) string { return l.Namespace + "/" + l.Name }, func(l *evidence.Lease) bool { return l.Renewed.IsZero() })
	d.Claims = once(d.Claims, fullName, nil)
	d.Volumes = once(d.Volumes, fullName, nil)
	d.VolumeAttachments = once(d.VolumeAttachments, fullName, nil)
	d.CSINodes = once(d.CSINodes, fullName, nil)
	d.PriorityClasses = once(d.PriorityClasses, fullName, nil)
	d.StorageClasses = once(d.StorageClasses, fullName, nil)
	d.CSIDrivers = once(d.CSIDrivers, fullName, nil)
	d.StorageCapacities = once(d.StorageCapacities, fullName, nil)
	d.Namespaces = once(d.Namespaces, fullName, nil)
	d.CSRs = once(d.CSRs, fullName, nil)
	d.Webhooks = once(d.Webhooks, func(w *evidence.Webhook) string {
		return strings.Join([]string{w.Configuration, w.Name, map[bool]string{true: "validating"}[w.Validating]}, "/")
	}, nil)
	d.Policies = once(d.Policies, fullName, nil)
	d.PolicyBindings = once(d.PolicyBindings, fullName, nil)
	d.Mutations = once(d.Mutations, fullName, nil)
	d.MutationBindings = once(d.MutationBindings, fullName, nil)
	d.Usage = once(d.Usage, func(u *evidence.Usage) string { return u.Node }, nil)
	d.Events = onceEvents(d.Events)
}

func fullName[T named](o T) string { return o.GetNamespace() + "/" + o.GetName() }

// once keeps the best of those with one key, in the place of the first.
func once[T any, K comparable](list []T, key func(T) K, partial func(T) bool) []T {
	at := make(map[K]int, len(list))
	out := list[:0]
	for _, o := range list {
		k := key(o)
		i, double := at[k]
		switch {
		case !double:
			at[k] = len(out)
			out = append(out, o)
		case partial == nil || partial(out[i]) || !partial(o):
			out[i] = o
		}
	}
	clear(list[len(out):])
	return out
}

// onceEvents drops events that say the same of the same time, and keeps where else they stand.
func onceEvents(list []*evidence.Event) []*evidence.Event {
	type says struct {
		object                                evidence.Subject
		typ, reason, message, component, host string
		count                                 int
		first, last                           time.Time
	}
	seen := make(map[says]*evidence.Event, len(list))
	return slices.DeleteFunc(list, func(e *evidence.Event) bool {
		key := says{e.Object, e.Type, e.Reason, e.Message, e.Component, e.Host, e.Count, e.First, e.Last}
		if same := seen[key]; same != nil {
			alsoAt(same, e)
			return true
		}
		seen[key] = e
		return false
	})
}

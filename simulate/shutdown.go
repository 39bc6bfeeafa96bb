package simulate

import (
	"fmt"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// A graceful shutdown: the kubelet says at once that the node is not ready, ends all pods within their grace
// periods, those that the system needs after the others, and reports them as Failed; their objects stay until their
// controllers or the taint take them (kubernetes pkg/kubelet/nodeshutdown/nodeshutdown_manager.go, v1.36.3).

// shuts puts a shutdown on the machine: one that its kubelet does not care for is a power-off.
func (w *world) shuts(m *machine) {
	m.halts = true
	if groups, _ := w.shutdownGroups(m); len(groups) == 0 {
		m.silent = 0
		return
	}
	m.shutdown = true
}

// failedAt is when the kubelet that shuts down has ended the pod; never: it does not. A group begins when those before it
// have ended, and one without pods takes no time.
func (w *world) failedAt(p *evidence.Pod, m *machine, l luck) time.Duration {
	if !m.shutdown || p.Finished() {
		return never
	}
	groups, _ := w.shutdownGroups(m)
	own := groupOf(p, groups)
	before := make([]time.Duration, own)
	for _, q := range m.pods {
		if i := groupOf(q, groups); i < own && !q.Finished() {
			before[i] = max(before[i], w.endsWithin(q, groups[i]))
		}
	}
	most := w.endsWithin(p, groups[own])
	for _, d := range before {
		most += d
	}
	return pick(l.late, 0, most)
}

// endsWithin is how long a pod takes to end in a shutdown: its grace period, or what the kubelet grants its group where
// that is less.
func (w *world) endsWithin(p *evidence.Pod, g shutdownGroup) time.Duration {
	return min(mechanics.GracePeriod(p), g.grace) + termination
}

// shutdownSays is what a shutdown rests on: that the kubelet was told to care for it, and that pods end in time.
func (w *world) shutdownSays() []string {
	var out, off, short []string
	unknown := false
	for _, m := range w.list {
		groups, known := w.shutdownGroups(m)
		unknown = unknown || !known
		if len(groups) == 0 {
			off = append(off, m.name)
			continue
		}
		for _, p := range m.pods {
			if g := groups[groupOf(p, groups)]; !p.Finished() && mechanics.GracePeriod(p) > g.grace {
				short = append(short, fmt.Sprintf("%s (%s of %s)", p.Key(), g.grace, mechanics.GracePeriod(p)))
			}
		}
	}
	if len(off) > 0 {
		out = append(out, "the kubelet of "+first(off)+" has no shutdownGracePeriod: there a shutdown is a power-off")
	}
	if unknown {
		out = append(out, "the kubelet has a shutdownGracePeriod, which by default is 0: then a shutdown is a power-off")
	}
	if len(short) > 0 {
		out = append(out, "pods end within what the kubelet grants, which is less than they may take: "+first(short)+"; what has not ended then is killed, and the end of the last ones may stay unsaid")
	}
	return out
}

// first are the first names of a list, and how many more there are.
func first(names []string) string {
	const few = 3
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}

// cleared is when the controller of a pod that has failed deletes it: those of StatefulSets and DaemonSets do
// (pkg/controller/statefulset/stateful_set_control.go, pkg/controller/daemon/daemon_controller.go).
func (o *outcome) cleared(p *evidence.Pod, l luck) time.Duration {
	if r := mechanics.Replaces(p); o.failed != never && (r == mechanics.WhenGone || r == mechanics.OnSameNode) {
		return o.failed + pick(l.late, 0, apiLag)
	}
	return never
}

package predict

import (
	"fmt"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// A graceful shutdown: the kubelet reports at once that the node is not ready, and terminates all pods within their grace
// periods, critical ones last. It reports them as Failed. Their objects remain until their controllers or the taint delete them
// (kubernetes pkg/kubelet/nodeshutdown/nodeshutdown_manager.go, v1.36.3).

// beginShutdown shuts a node down. Without graceful shutdown in the kubelet's configuration, it is a power-off.
func (sim *simulation) beginShutdown(m *simNode) {
	m.halts = true
	if groups, _ := sim.shutdownGroups(m); len(groups) == 0 {
		m.silent = 0
		return
	}
	m.shutdown = true
}

// failedAt returns when the kubelet that shuts down has terminated the pod; never: it does not. A group begins after the ones
// before it, and a group without pods takes no time.
func (sim *simulation) failedAt(p *evidence.Pod, m *simNode, x extremes) time.Duration {
	if !m.shutdown || p.Finished() {
		return never
	}
	groups, _ := sim.shutdownGroups(m)
	own := groupOf(p, groups)
	before := make([]time.Duration, own)
	for _, q := range m.pods {
		if i := groupOf(q, groups); i < own && !q.Finished() {
			before[i] = max(before[i], sim.endsWithin(q, groups[i]))
		}
	}
	most := sim.endsWithin(p, groups[own])
	for _, d := range before {
		most += d
	}
	return pick(x.late, 0, most)
}

// endsWithin returns how long a pod takes to terminate in a shutdown: its grace period, or the shorter limit of its group.
func (sim *simulation) endsWithin(p *evidence.Pod, g shutdownGroup) time.Duration {
	return min(mechanics.GracePeriod(p), g.grace) + termination
}

// shutdownAssumptions returns the assumptions that the kubelet terminates pods in a shutdown, and that they terminate in time.
func (sim *simulation) shutdownAssumptions() []string {
	var out, off, short []string
	unknown := false
	for _, m := range sim.list {
		groups, known := sim.shutdownGroups(m)
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
		out = append(out, "the kubelet of "+firstNames(off)+" has no shutdownGracePeriod: a shutdown there acts like a power-off")
	}
	if unknown {
		out = append(out, "the kubelet has a shutdownGracePeriod (default: 0, which makes a shutdown act like a power-off)")
	}
	if len(short) > 0 {
		out = append(out, "the kubelet grants less time than these pods may need: "+firstNames(short)+"; it kills the rest, and may not report the last ones")
	}
	return out
}

// firstNames returns the first names of a list, and how many more there are.
func firstNames(names []string) string {
	const few = 3
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}

// deletedByOwner returns when the controller of a failed pod deletes it, as those of StatefulSets and DaemonSets do
// (pkg/controller/statefulset/stateful_set_control.go, pkg/controller/daemon/daemon_controller.go).
func (o *outcome) deletedByOwner(p *evidence.Pod, x extremes) time.Duration {
	if r := mechanics.Replaces(p); o.failed != never && (r == mechanics.WhenGone || r == mechanics.OnSameNode) {
		return o.failed + pick(x.late, 0, apiLag)
	}
	return never
}

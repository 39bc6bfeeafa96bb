package simulate

import (
	"fmt"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
)

// A graceful shutdown: the kubelet says at once that the node is not ready, ends all pods within their grace
// periods, those that the system needs after the others, and reports them as Failed; their objects stay until their
// controllers or the taint take them (kubernetes pkg/kubelet/nodeshutdown/nodeshutdown_manager.go, v1.36.3).

// shuts puts a shutdown on the machine.
func (m *machine) shuts() { m.shutdown, m.halts = true, true }

// systemCritical is the least priority of what the system needs (pkg/apis/scheduling/types.go, SystemCriticalPriority).
const systemCritical = 2_000_000_000

func critical(p *evidence.Pod) bool {
	return p.Spec != nil && p.Spec.Priority != nil && *p.Spec.Priority >= systemCritical
}

// failedAt is when the kubelet that shuts down has ended the pod; never: it does not.
func (w *world) failedAt(p *evidence.Pod, m *machine, l luck) time.Duration {
	if !m.shutdown || p.Finished() {
		return never
	}
	most := w.endsWithin(p, m)
	if critical(p) {
		var others time.Duration
		for _, q := range m.pods {
			if !critical(q) && !q.Finished() {
				others = max(others, w.endsWithin(q, m))
			}
		}
		most += others
	}
	return pick(l.late, 0, most)
}

// endsWithin is how long a pod takes to end in a shutdown: its grace period, or what the kubelet grants where that is
// less and known.
func (w *world) endsWithin(p *evidence.Pod, m *machine) time.Duration {
	grace := w.graceOf(p)
	if all, last := w.shutdownPeriods(m); all > 0 {
		if critical(p) {
			grace = min(grace, last)
		} else {
			grace = min(grace, all-last)
		}
	}
	return grace + termination
}

// shutdownPeriods are shutdownGracePeriod of the node's kubelet and the part of it that is kept for what the system needs;
// negative: not known.
func (w *world) shutdownPeriods(m *machine) (all, last time.Duration) {
	k := w.snap.Kubelet(m.name)
	if k == nil {
		return -1, -1
	}
	all, err := time.ParseDuration(k.Config["shutdownGracePeriod"])
	if err != nil {
		return -1, -1
	}
	if last, err = time.ParseDuration(k.Config["shutdownGracePeriodCriticalPods"]); err != nil {
		last = 0
	}
	return all, min(last, all)
}

// shutdownSays is what a shutdown rests on: that the kubelet was told to care for it.
func (w *world) shutdownSays() string {
	var off []string
	unknown := false
	for _, m := range w.list {
		switch all, _ := w.shutdownPeriods(m); {
		case all == 0:
			off = append(off, m.name)
		case all < 0:
			unknown = true
		}
	}
	switch {
	case len(off) > 0:
		return "shutdownGracePeriod of the kubelet is 0 on " + first(off) + ": unless shutdownGracePeriodByPodPriority is set there, a shutdown is a power-off"
	case unknown:
		return "the kubelet has a shutdownGracePeriod, which by default is 0: then a shutdown is a power-off"
	}
	return ""
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
	if k := p.Owner.Kind; o.failed != never && (k == "StatefulSet" || k == "DaemonSet") {
		return o.failed + pick(l.late, 0, apiLag)
	}
	return never
}

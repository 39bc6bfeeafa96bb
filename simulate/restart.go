package simulate

import (
	"time"

	"github.com/nodetriage/nodetriage/mechanics"
)

// What a restart of kube-controller-manager does: until another one leads, nothing happens; then every node gets a
// fresh grace period, loses the taint that makes pods leave and gets it anew when the turn of the node comes, so all
// timers start again (kubernetes pkg/controller/nodelifecycle/node_lifecycle_controller.go monitorNodeHealth,
// pkg/controller/tainteviction; k8s.io/client-go/tools/leaderelection, v1.36.3).

// managerStart is the time from the lead to the controllers' first pass, at most.
const managerStart = 5 * time.Second

// outage is when no controller manager leads; never: at no time.
func (w *world) outage(l luck) (begin, end time.Duration) {
	if w.sc.ManagerRestart == nil {
		return never, never
	}
	begin = *w.sc.ManagerRestart
	// The lease was renewed at most a period ago, and is asked for every period and up to 1.2 more.
	lease, retry := w.set.leaseDuration, w.set.retryPeriod
	return begin, begin + pick(l.late, lease-retry, lease+retry*22/10+managerStart)
}

// resumes is when a controller does what it would have done at that time.
func (w *world) resumes(at time.Duration, l luck) time.Duration {
	if begin, end := w.outage(l); begin <= at && at < end {
		return end + pick(l.late, 0, apiLag)
	}
	return at
}

// noticedAnew is when a node is lost whose silence nobody had noticed before the outage.
func (w *world) noticedAnew(m *machine, l luck, noticed time.Duration) time.Duration {
	begin, end := w.outage(l)
	if m.unready.known || m.silent >= end || noticed < begin {
		return noticed
	}
	return end + pick(l.late, w.set.grace.Least, w.set.grace.Most+w.set.monitorPeriod)
}

// heldAnew interrupts what the taints of the node do to its pods.
func (w *world) heldAnew(m *machine, l luck, c *course) {
	begin, end := w.outage(l)
	var out []mechanics.Held
	for _, h := range c.taints {
		if h.From >= end || h.To <= begin {
			out = append(out, h)
			continue
		}
		if h.From < begin {
			out = append(out, mechanics.Held{Taint: h.Taint, From: h.From, To: begin})
		}
		again := end
		if h.Taint.Key == m.key() {
			again = plus(end, w.zones[zoneKey(m.node)].turn(w.set, l))
		}
		if again < h.To {
			out = append(out, mechanics.Held{Taint: h.Taint, From: again, To: h.To})
		}
	}
	c.taints = out
}

// turn is when a node gets its taint from a controller that has just started: all that are not ready wait.
func (z *zone) turn(set settings, l luck) time.Duration {
	if z.stopped() || z.open && l.alone {
		return never
	}
	rate := set.rate
	if z.state == partial {
		rate = set.slowRate
	}
	turns := time.Duration(max(z.unready-1, 0))
	if turns > 0 && rate == 0 {
		return pick(l.late, set.noExecuteLeast, never)
	}
	most := set.noExecuteMost
	if turns > 0 {
		most += turns * slot(rate)
	}
	return pick(l.late, set.noExecuteLeast, most)
}

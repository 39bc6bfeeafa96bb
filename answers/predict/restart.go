package predict

import (
	"time"

	"github.com/nodetriage/nodetriage/mechanics"
)

// Restart of kube-controller-manager: nothing happens until another instance becomes leader. Then every node gets a new grace
// period, loses its NoExecute taint and gets it again at its turn, so that all timers start again (kubernetes
// pkg/controller/nodelifecycle/node_lifecycle_controller.go monitorNodeHealth, pkg/controller/tainteviction;
// k8s.io/client-go/tools/leaderelection, v1.36.3).

// managerStart is the maximum time from becoming leader to the controllers' first pass.
const managerStart = 5 * time.Second

// outage returns the time without a leader; never: there is none.
func (sim *simulation) outage(x extremes) (begin, end time.Duration) {
	if sim.sc.ManagerRestart == nil {
		return never, never
	}
	begin = *sim.sc.ManagerRestart
	// The lease was renewed at most a period ago. Candidates try to acquire it every period and up to 1.2 more.
	lease, retry := sim.set.leaseDuration, sim.set.retryPeriod
	return begin, begin + pick(x.late, lease-retry, lease+retry*22/10+managerStart)
}

// resumes returns when a controller does what it would have done at that time without the outage.
func (sim *simulation) resumes(at time.Duration, x extremes) time.Duration {
	if begin, end := sim.outage(x); begin <= at && at < end {
		return end + pick(x.late, 0, apiLag)
	}
	return at
}

// noticedAfterRestart returns when a node becomes Unknown if its failure was not noticed before the outage.
func (sim *simulation) noticedAfterRestart(m *simNode, x extremes, noticed time.Duration) time.Duration {
	begin, end := sim.outage(x)
	if m.unready.known || m.silent >= end || noticed < begin {
		return noticed
	}
	return end + pick(x.late, sim.set.grace.Least, sim.set.grace.Most+sim.set.monitorPeriod)
}

// taintsAfterRestart interrupts the effect of the node's taints on its pods during the outage.
func (sim *simulation) taintsAfterRestart(m *simNode, x extremes, tl *nodeTimeline) {
	begin, end := sim.outage(x)
	var out []mechanics.Held
	for _, h := range tl.taints {
		if h.From >= end || h.To <= begin {
			out = append(out, h)
			continue
		}
		if h.From < begin {
			out = append(out, mechanics.Held{Taint: h.Taint, From: h.From, To: begin})
		}
		again := end
		if h.Taint.Key == m.key() {
			again = plus(end, sim.zones[zoneKey(m.node)].taintTurnAfterRestart(sim.set, x))
		}
		if again < h.To {
			out = append(out, mechanics.Held{Taint: h.Taint, From: again, To: h.To})
		}
	}
	tl.taints = out
}

// taintTurnAfterRestart returns when a node gets its taint from a controller that has just started. All nodes that are not
// ready wait for theirs.
func (z *zone) taintTurnAfterRestart(set settings, x extremes) time.Duration {
	if z.stopped() || z.unknownRest && x.noOtherNodes {
		return never
	}
	rate := set.rate
	if z.state == partial {
		rate = set.slowRate
	}
	turns := time.Duration(max(z.unready-1, 0))
	if turns > 0 && rate == 0 {
		return pick(x.late, set.noExecuteLeast, never)
	}
	most := set.noExecuteMost
	if turns > 0 {
		most += turns * turnPeriod(rate)
	}
	return pick(x.late, set.noExecuteLeast, most)
}

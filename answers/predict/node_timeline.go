package predict

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/mechanics"
)

// extremes selects the end of every unknown interval in one run.
type extremes struct {
	late         bool // controllers react late
	backLate     bool // a node that returns is Ready late
	gcLate       bool // the pod garbage collector comes late
	noOtherNodes bool // the cluster has only the nodes in the evidence, if that is unknown
}

// allExtremes returns all combinations. Every possible result is between them.
func (sim *simulation) allExtremes() []extremes {
	n := 8
	for _, z := range sim.zones {
		if z.unknownRest {
			n = 16
		}
	}
	var out []extremes
	for i := range n {
		out = append(out, extremes{i&1 != 0, i&2 != 0, i&4 != 0, i&8 != 0})
	}
	return out
}

func pick(late bool, least, most time.Duration) time.Duration {
	if late {
		return most
	}
	return least
}

// nodeTimeline is the events of one node in one run.
type nodeTimeline struct {
	unready time.Duration // Ready stops being True
	ready   time.Duration // and is True again
	evicts  time.Duration // it gets the NoExecute taint of a node that is not ready
	freed   time.Duration // when it loses that taint
	// flip: a restarting kubelet briefly reports that the node is not ready, even if its absence was not noticed.
	flip   bool
	taints []mechanics.Held
}

// nodeTimeline simulates a node in a run (kubernetes pkg/controller/nodelifecycle/node_lifecycle_controller.go, v1.36.3).
func (sim *simulation) nodeTimeline(m *simNode, x extremes) nodeTimeline {
	tl := nodeTimeline{unready: sim.unreadyAt(m, x), ready: never, evicts: never, freed: never}
	if m.back != never {
		tl.ready = m.back + sim.untilReady(m, x)
	}
	if m.back <= tl.unready {
		tl.unready, tl.flip = never, m.silent != never && sim.sc.Event != Partition
	}
	if tl.unready != never {
		sim.taintFor(m, x, &tl)
	}
	if tl.flip && x.backLate {
		tl.addTaint(corev1.TaintNodeNotReady, m.back, tl.ready+sim.set.monitorPeriod)
	}
	if m.outOfService != never {
		tl.taints = append(tl.taints, mechanics.Held{Taint: outOfService, From: plus(max(m.outOfService, sim.start()), pick(x.late, 0, apiLag)), To: never})
	}
	if m.added != nil && mechanics.Evicts(m.added) {
		tl.taints = append(tl.taints, mechanics.Held{Taint: *m.added, From: pick(x.late, 0, apiLag), To: never})
	}
	sim.taintsAfterRestart(m, x, &tl)
	return tl
}

// unreadyAt returns when the node's Ready stops being True; never: nothing ends it, or its end is not noticed.
func (sim *simulation) unreadyAt(m *simNode, x extremes) time.Duration {
	at := never
	switch {
	case m.unready.known:
		at = min(m.unready.pick(x.late, sim.made), m.deleted) // it was not Ready while the node existed
	case m.shutdown:
		at = pick(x.late, 0, secondsOfAPI)
	case m.silent != never:
		at = max(m.silent+sim.untilUnknown(m, x), sim.now)
	}
	if at != never && m.silent != never {
		at = sim.noticedAfterRestart(m, x, at)
	}
	if m.deleted <= at && !m.unready.known {
		return never // a deleted node is not evaluated
	}
	return at
}

// outOfService is the taint that marks a node as permanently off.
var outOfService = corev1.Taint{Key: corev1.TaintNodeOutOfService, Value: "nodeshutdown", Effect: corev1.TaintEffectNoExecute}

// start returns the earliest time at which the simulation changes pods.
func (sim *simulation) start() time.Duration { return min(0, sim.now) }

// untilUnknown returns the time from the last heartbeat to Ready=Unknown: the grace period, minus the age of the last renewal
// when the node failed, plus the time until the monitor's next pass.
func (sim *simulation) untilUnknown(m *simNode, x extremes) time.Duration {
	least := sim.set.grace.Least
	if !m.heard {
		least -= mechanics.RenewPeriod
	}
	return pick(x.late, least, sim.set.grace.Most+sim.set.monitorPeriod)
}

// untilReady returns the time from the return of the kubelet to Ready.
func (sim *simulation) untilReady(m *simNode, x extremes) time.Duration {
	if sim.sc.Event == Partition {
		return pick(x.backLate, 0, statusSync)
	}
	return pick(x.backLate, time.Second, startup)
}

// taintFor adds the NoExecute taint to the node at its turn.
func (sim *simulation) taintFor(m *simNode, x extremes, tl *nodeTimeline) {
	at := never
	if m.tainted.known {
		at = min(m.tainted.pick(x.late, sim.made), m.deleted)
	} else if least, most := sim.zones[zoneKey(m.node)].taintTurn(sim.set, x); least != never {
		begin := tl.unready
		if m.unready.known {
			begin = max(begin, sim.now) // it already waits for its turn
		}
		if m.silent == never || m.unready.known { // the pass that adds the taint has not set its condition
			least -= sim.set.noExecuteLeast
		}
		if m.silent == never { // the next pass detects it
			if most != never {
				most -= sim.set.noExecuteMost - taintLoop
			}
			most = plus(most, sim.set.monitorPeriod)
		}
		at = plus(begin, pick(x.late, least, most))
		if _, end := sim.outage(x); at != never && sim.resumes(at, x) != at {
			at = plus(end, sim.zones[zoneKey(m.node)].taintTurnAfterRestart(sim.set, x))
		}
	}
	if at >= m.deleted && !m.tainted.known || at >= tl.ready {
		return
	}
	tl.evicts = at
	if tl.ready == never {
		tl.addTaint(m.key(), at, never)
		return
	}
	tl.freed = tl.ready + pick(x.backLate, 0, sim.set.monitorPeriod)
	if sim.sc.Event == Partition {
		tl.addTaint(m.key(), at, tl.freed)
		return
	}
	// Between its return and Ready the kubelet reports that the node is not ready.
	tl.addTaint(m.key(), at, max(at, m.back))
	tl.addTaint(corev1.TaintNodeNotReady, max(at, m.back), tl.freed)
}

func (tl *nodeTimeline) addTaint(key string, from, to time.Duration) {
	if from < to {
		tl.taints = append(tl.taints, mechanics.Held{Taint: corev1.Taint{Key: key, Effect: corev1.TaintEffectNoExecute}, From: from, To: to})
	}
}

// notReadyAt reports whether the node in the API is anything but Ready.
func (tl *nodeTimeline) notReadyAt(at time.Duration) bool { return tl.unready <= at && at < tl.ready }

// unheard reports whether the control plane considers the node lost: its kubelet is unreachable or not Ready, or the node shuts
// down.
func (m *simNode) unheard() bool { return m.silent != never || m.unready.known || m.shutdown }

// actsFrom returns the first time, not before at, at which the kubelet acts on its pods; never: it no longer does.
func (m *simNode) actsFrom(at time.Duration) time.Duration {
	switch {
	case m.broken && m.back == never:
		return never
	case m.broken || at >= m.silent:
		return max(at, m.back)
	}
	return at
}

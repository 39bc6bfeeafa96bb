package simulate

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/mechanics"
)

// luck is one telling: everything that nobody knows beforehand is early or late.
type luck struct {
	late      bool // the controllers notice late
	backLate  bool // the machine is late to be Ready again
	sweptLate bool // garbage is collected late
	alone     bool // the cluster has no nodes but those of the evidence, where that is not known
}

// tellings are all of them: what lies between them is what can happen.
func (w *world) tellings() []luck {
	n := 8
	for _, z := range w.zones {
		if z.open {
			n = 16
		}
	}
	var out []luck
	for i := range n {
		out = append(out, luck{i&1 != 0, i&2 != 0, i&4 != 0, i&8 != 0})
	}
	return out
}

func pick(late bool, least, most time.Duration) time.Duration {
	if late {
		return most
	}
	return least
}

// course is what happens to one node in one telling.
type course struct {
	unready time.Duration // Ready stops being True
	ready   time.Duration // and is True again
	evicts  time.Duration // it gets the taint that makes pods leave, because it is not ready
	freed   time.Duration // and loses it
	// flip: a kubelet that restarts says for some seconds that it is not ready, although nobody noticed its absence.
	flip   bool
	taints []mechanics.Held
}

// course follows a node through a telling
// (kubernetes pkg/controller/nodelifecycle/node_lifecycle_controller.go, v1.36.3).
func (w *world) course(m *machine, l luck) course {
	c := course{unready: never, ready: never, evicts: never, freed: never}
	switch {
	case m.unready.known:
		c.unready = min(m.unready.pick(l.late, w.made), m.deleted) // it was so while the node was there
	case m.shutdown:
		c.unready = pick(l.late, 0, secondsOfAPI)
	case m.silent != never:
		c.unready = max(m.silent+w.patience(m, l), w.now)
	}
	if c.unready != never && m.silent != never {
		c.unready = w.noticedAnew(m, l, c.unready)
	}
	if m.deleted <= c.unready && !m.unready.known {
		c.unready = never // a node that is not there is not judged
	}
	if m.back != never {
		c.ready = m.back + w.comeback(m, l)
	}
	if m.back <= c.unready {
		c.unready, c.flip = never, m.silent != never && w.sc.Event != Partition
	}
	if c.unready != never {
		w.taintFor(m, l, &c)
	}
	if c.flip && l.backLate {
		c.hold(corev1.TaintNodeNotReady, m.back, c.ready+w.set.monitorPeriod)
	}
	if m.outOfService != never {
		c.taints = append(c.taints, mechanics.Held{Taint: outOfService, From: plus(max(m.outOfService, w.start()), pick(l.late, 0, apiLag)), To: never})
	}
	if m.added != nil && mechanics.Evicts(m.added) {
		c.taints = append(c.taints, mechanics.Held{Taint: *m.added, From: pick(l.late, 0, apiLag), To: never})
	}
	w.heldAnew(m, l, &c)
	return c
}

// outOfService is the taint by which a person says that the node is off for good.
var outOfService = corev1.Taint{Key: corev1.TaintNodeOutOfService, Value: "nodeshutdown", Effect: corev1.TaintEffectNoExecute}

// start is when the story of pods begins: nothing happens to them before that it does not tell.
func (w *world) start() time.Duration { return min(0, w.now) }

// patience is the time from the last sign of life to Ready=Unknown: the grace period, less what the last
// renewal was old when the node failed, and the time until a pass of the monitor looks.
func (w *world) patience(m *machine, l luck) time.Duration {
	least := w.set.grace.Least
	if !m.heard {
		least -= mechanics.RenewPeriod
	}
	return pick(l.late, least, w.set.grace.Most+w.set.monitorPeriod)
}

// comeback is the time from the return to Ready.
func (w *world) comeback(m *machine, l luck) time.Duration {
	if w.sc.Event == Partition {
		return pick(l.backLate, 0, statusSync)
	}
	return pick(l.backLate, time.Second, startup)
}

// taintFor gives the node the taint that makes pods leave, when the turn of the node comes.
func (w *world) taintFor(m *machine, l luck, c *course) {
	at := never
	if m.tainted.known {
		at = min(m.tainted.pick(l.late, w.made), m.deleted)
	} else if least, most := w.zones[zoneKey(m.node)].slots(w.set, l); least != never {
		begin := c.unready
		if m.unready.known {
			begin = max(begin, w.now) // it waits already
		}
		if m.silent == never {
			most = plus(most, w.set.monitorPeriod) // the next pass finds out
		}
		at = plus(begin, pick(l.late, least, most))
		if _, end := w.outage(l); at != never && w.resumes(at, l) != at {
			at = plus(end, w.zones[zoneKey(m.node)].turn(w.set, l))
		}
	}
	if at >= m.deleted && !m.tainted.known || at >= c.ready {
		return
	}
	c.evicts = at
	if c.ready == never {
		c.hold(m.key(), at, never)
		return
	}
	c.freed = c.ready + pick(l.backLate, 0, w.set.monitorPeriod)
	if w.sc.Event == Partition {
		c.hold(m.key(), at, c.freed)
		return
	}
	// Between silence and Ready the kubelet says that it is not ready.
	c.hold(m.key(), at, max(at, m.back))
	c.hold(corev1.TaintNodeNotReady, max(at, m.back), c.freed)
}

func (c *course) hold(key string, from, to time.Duration) {
	if from < to {
		c.taints = append(c.taints, mechanics.Held{Taint: corev1.Taint{Key: key, Effect: corev1.TaintEffectNoExecute}, From: from, To: to})
	}
}

// notReadyAt tells whether the API shows the node as anything but Ready.
func (c *course) notReadyAt(at time.Duration) bool { return c.unready <= at && at < c.ready }

// speaks tells from when on, not before at, a kubelet acts on its pods; never: not again.
func (m *machine) speaks(at time.Duration) time.Duration {
	switch {
	case m.broken && m.back == never:
		return never
	case m.broken || at >= m.silent:
		return max(at, m.back)
	}
	return at
}

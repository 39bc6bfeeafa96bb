package predict

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/wording"
)

// simNode is one of the nodes of the scenario, with its events in every run.
type simNode struct {
	name string
	node *evidence.Node
	pods []*evidence.Pod

	silent   time.Duration // when its kubelet stops sending heartbeats
	heard    bool          // silent is the exact time of its last heartbeat
	halts    bool          // its containers stop with it
	shutdown bool          // its kubelet terminates its pods first
	broken   bool          // its kubelet sends heartbeats but cannot stop containers
	back     time.Duration // when its kubelet sends heartbeats again

	deleted      time.Duration // its Node object
	outOfService time.Duration // the taint
	added        *corev1.Taint // at 0; nil: none

	// State in the evidence: when it stopped being Ready, and its NoExecute taint.
	unready, tainted seen
	taintKey         string
}

// seen is a time of the API, which is truncated to seconds. Not known: there is none.
type seen struct {
	at    time.Duration
	known bool
}

// pick returns the earliest or the latest possible time, at most when the evidence was taken.
func (s seen) pick(late bool, made time.Duration) time.Duration {
	if late {
		return max(s.at, min(s.at+secondsOfAPI, made))
	}
	return s.at
}

// down reports whether the node is not working at that time:
//   - Ready is anything but True, or
//   - its last heartbeat is late, even if the control plane still waits, because the forecast covers the time in between
func down(s *evidence.Snapshot, n *evidence.Node, at time.Time) bool {
	if n.NotReady() {
		return true
	}
	l := s.NodeLease(n.Name)
	return l != nil && !l.Renewed.IsZero() && at.Sub(l.Renewed) > mechanics.LateLease
}

// lastHeard returns the last heartbeat of a node; zero if the evidence has none.
func lastHeard(s *evidence.Snapshot, n *evidence.Node) time.Time {
	var heard time.Time
	if l := s.NodeLease(n.Name); l != nil {
		heard = l.Renewed
	}
	c := n.Condition(corev1.NodeReady)
	if c == nil {
		return heard
	}
	if t := c.LastHeartbeatTime.UTC(); t.After(heard) && !c.LastHeartbeatTime.IsZero() {
		heard = t
	}
	if c.Status == corev1.ConditionUnknown && !c.LastTransitionTime.IsZero() && heard.After(c.LastTransitionTime.UTC()) {
		return time.Time{} // a heartbeat after Ready became Unknown: the node is returning, or another clock wrote this
	}
	return heard
}

// lastSign explains why a node does not count as down. A node that failed just now looks healthy until it misses a renewal.
func lastSign(s *evidence.Snapshot, n *evidence.Node, at time.Time) string {
	l := s.NodeLease(n.Name)
	if l == nil || l.Renewed.IsZero() {
		return ""
	}
	return fmt.Sprintf(" (Lease renewed %s ago)", wording.Duration(at.Sub(l.Renewed)))
}

// downSince returns when a node that is down failed: its last heartbeat, or, if it still sends heartbeats, when it became not
// ready. Zero means unknown.
func downSince(s *evidence.Snapshot, n *evidence.Node, set settings) time.Time {
	c := n.Condition(corev1.NodeReady)
	if c != nil && c.Status == corev1.ConditionFalse {
		return utc(c)
	}
	if heard := lastHeard(s, n); !heard.IsZero() {
		return heard
	}
	if t := utc(c); !t.IsZero() {
		return t.Add(-set.grace.Most)
	}
	return time.Time{}
}

func utc(c *corev1.NodeCondition) time.Time {
	if c == nil || c.LastTransitionTime.IsZero() {
		return time.Time{}
	}
	return c.LastTransitionTime.UTC()
}

// newNode returns the present state of a node.
func (sim *simulation) newNode(n *evidence.Node) *simNode {
	m := &simNode{
		name: n.Name, node: n, pods: sim.snap.PodsOn(n.Name),
		silent: never, back: never, deleted: never, outOfService: never,
	}
	if t := n.Taint(corev1.TaintNodeOutOfService); t != nil {
		m.outOfService = always
	}
	if !down(sim.snap, n, sim.at) {
		return m
	}
	c := n.Condition(corev1.NodeReady)
	if c != nil && c.Status != corev1.ConditionTrue {
		m.unready = seen{sim.since(utc(c)), true}
	}
	if c == nil || c.Status != corev1.ConditionFalse || fromTable(n) {
		m.silent, m.heard = sim.since(downSince(sim.snap, n, sim.set)), true
	} else {
		m.broken = mechanics.RuntimeSilent(n)
	}
	for i := range n.Spec.Taints {
		t := &n.Spec.Taints[i]
		if mechanics.OfDeadNode(t) {
			m.tainted, m.taintKey = seen{sim.since(mechanics.TaintedSince(n, t, sim.snap.EventsOf(n.Subject()))), true}, t.Key
		}
	}
	return m
}

// fromTable reports whether the node's state is only known from a table, which does not distinguish Unknown from False. It is
// assumed to be Unknown.
func fromTable(n *evidence.Node) bool {
	c := n.Condition(corev1.NodeReady)
	return n.Partial && c != nil && c.Status == corev1.ConditionFalse && c.Reason == ""
}

// since converts a clock time to virtual time. An unknown time is the time of the event.
func (sim *simulation) since(t time.Time) time.Duration {
	if t.IsZero() || sim.zero.IsZero() {
		return 0
	}
	return t.Sub(sim.zero)
}

// applyEvent applies the event to the node.
func (sim *simulation) applyEvent(m *simNode) {
	sc := sim.sc
	switch sc.Event {
	case PowerOff, Reboot:
		m.silent, m.halts = 0, true
	case KubeletStop, Partition:
		m.silent = 0
	case Shutdown:
		sim.beginShutdown(m)
	case Delete:
		m.deleted = 0
	case OutOfService:
		m.outOfService = 0
	case Taint:
		m.added = sc.Taint
	}
	if sc.BackAfter != nil {
		m.back = *sc.BackAfter
		if sc.Event == AlreadyDown {
			m.back += sim.now
		}
	}
}

// staysDown reports whether the node does not return.
func (m *simNode) staysDown() bool {
	return m.back == never && (m.silent != never || m.unready.known || m.shutdown)
}

// readyKind returns the status of Ready while the node is not working.
func (m *simNode) readyKind() string {
	if m.silent != never {
		return "Unknown"
	}
	return "False"
}

// key returns the key of the matching taint.
func (m *simNode) key() string {
	switch {
	case m.taintKey != "":
		return m.taintKey
	case m.silent != never:
		return corev1.TaintNodeUnreachable
	}
	return corev1.TaintNodeNotReady
}

func (m *simNode) subject() evidence.Subject { return evidence.NodeSubject(m.name) }

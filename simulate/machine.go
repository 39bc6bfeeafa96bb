package simulate

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// machine is one of the nodes, with what happens to it in every telling.
type machine struct {
	name string
	node *evidence.Node
	pods []*evidence.Pod

	silent   time.Duration // when its kubelet falls silent
	heard    bool          // silent is its last sign of life, not just some moment after it
	halts    bool          // its containers end with it
	shutdown bool          // its kubelet ends its pods first
	broken   bool          // its kubelet speaks but cannot stop containers
	back     time.Duration // when its kubelet starts to speak again

	deleted      time.Duration // its Node object
	outOfService time.Duration // the taint
	added        *corev1.Taint // at 0; nil: none

	// What the evidence has already: when it stopped being Ready, and the taint that makes pods leave.
	unready, tainted seen
	taintKey         string
}

// seen is a time that the API tells, to the second; not known: not seen.
type seen struct {
	at    time.Duration
	known bool
}

// pick is the time as early or as late as it may have been: at the latest when the evidence was made.
func (s seen) pick(late bool, made time.Duration) time.Duration {
	if late {
		return max(s.at, min(s.at+secondsOfAPI, made))
	}
	return s.at
}

// lateLease is how old a heartbeat must be for a forecast to take its node for down: two renewals. That is less than the
// control plane waits, on purpose: it is the time in between that is foretold.
const lateLease = 2 * mechanics.RenewPeriod

// down tells whether the node does not work at that time:
//   - Ready is anything but True, or
//   - its last heartbeat is older than two renewals
func down(s *evidence.Snapshot, n *evidence.Node, at time.Time) bool {
	if n.NotReady() {
		return true
	}
	l := s.NodeLease(n.Name)
	return l != nil && !l.Renewed.IsZero() && at.Sub(l.Renewed) > lateLease
}

// lastHeard is the last sign of life of a silent node; zero if the evidence has none.
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
		return time.Time{} // it spoke after it was given up: it is coming back, or another clock wrote this
	}
	return heard
}

// lastSign says what tells that a node is not down: one that failed a moment ago looks well until it misses a renewal.
func lastSign(s *evidence.Snapshot, n *evidence.Node, at time.Time) string {
	l := s.NodeLease(n.Name)
	if l == nil || l.Renewed.IsZero() {
		return ""
	}
	return fmt.Sprintf(" as far as its lease tells, renewed %s ago", max(0, at.Sub(l.Renewed)).Round(time.Second))
}

// downSince is when the trouble of a node that is down began: its last sign of life, or, while the kubelet
// speaks, when it said that it is not ready. Zero: not known.
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

// newMachine reads the present state of a node, as of the origin of the story.
func (w *world) newMachine(n *evidence.Node) *machine {
	m := &machine{
		name: n.Name, node: n, pods: w.snap.PodsOn(n.Name),
		silent: never, back: never, deleted: never, outOfService: never,
	}
	if t := n.Taint(corev1.TaintNodeOutOfService); t != nil {
		m.outOfService = always
	}
	if !down(w.snap, n, w.at) {
		return m
	}
	c := n.Condition(corev1.NodeReady)
	if c != nil && c.Status != corev1.ConditionTrue {
		m.unready = seen{w.since(utc(c)), true}
	}
	if c == nil || c.Status != corev1.ConditionFalse || fromTable(n) {
		m.silent, m.heard = w.since(downSince(w.snap, n, w.set)), true
	} else {
		m.broken = mechanics.RuntimeSilent(n)
	}
	for i := range n.Spec.Taints {
		t := &n.Spec.Taints[i]
		if mechanics.OfDeadNode(t) {
			m.tainted, m.taintKey = seen{w.since(mechanics.TaintedSince(n, t, w.snap.EventsOf(n.Subject()))), true}, t.Key
		}
	}
	return m
}

// fromTable tells whether all that is known of the node is a word in a table, which does not tell silence from not
// being ready; it is taken for silence.
func fromTable(n *evidence.Node) bool {
	c := n.Condition(corev1.NodeReady)
	return n.Partial && c != nil && c.Status == corev1.ConditionFalse && c.Reason == ""
}

// since is a moment of the wall clock on the clock of the story; a time that is not known is its beginning.
func (w *world) since(t time.Time) time.Duration {
	if t.IsZero() || w.zero.IsZero() {
		return 0
	}
	return t.Sub(w.zero)
}

// happen puts the event on the machine.
func (w *world) happen(m *machine) {
	sc := w.sc
	switch sc.Event {
	case PowerOff, Reboot:
		m.silent, m.halts = 0, true
	case KubeletStop, Partition:
		m.silent = 0
	case Shutdown:
		w.shuts(m)
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
			m.back += w.now
		}
	}
}

// dead tells whether the machine does not return.
func (m *machine) dead() bool {
	return m.back == never && (m.silent != never || m.unready.known || m.shutdown)
}

// readyKind is the state that the machine shows while it does not work.
func (m *machine) readyKind() string {
	if m.silent != never {
		return "Unknown"
	}
	return "False"
}

// key is the taint of that state.
func (m *machine) key() string {
	switch {
	case m.taintKey != "":
		return m.taintKey
	case m.silent != never:
		return corev1.TaintNodeUnreachable
	}
	return corev1.TaintNodeNotReady
}

func (m *machine) subject() evidence.Subject { return evidence.NodeSubject(m.name) }

// noNode says that the evidence lacks a node.
func noNode(name string) error {
	return fmt.Errorf("predict node %s: the evidence does not have it; nodetriage nodes lists those that it has", name)
}

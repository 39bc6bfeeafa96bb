// Package timeline puts what happened in order: conditions, heartbeats, cordons, events, log messages and
// calls of the cloud, in one lane per node. It computes and draws nothing; it is pure.
package timeline

import (
	"sort"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// Timeline is what happened between two times.
type Timeline struct {
	From, To time.Time
	Lanes    []*Lane
	// Left are lanes that are not shown: there are too many, or nothing bad happened in them.
	Left int
	// Earlier are single marks that lie before From.
	Earlier int
}

// Lane is what happened in one place: a node, a file that names no node, the cloud, the cluster.
type Lane struct {
	Name  string
	Node  bool
	Marks []Mark
	// Left are marks that are not shown.
	Left int
}

// Kind is what a mark comes from.
type Kind string

// The kinds of marks.
const (
	Condition Kind = "condition"
	Heartbeat Kind = "heartbeat"
	Cordon    Kind = "cordon"
	Taint     Kind = "taint"
	Event     Kind = "event"
	Log       Kind = "log"
	Container Kind = "container"
	Cloud     Kind = "cloud"
)

// Mark is one event, at an instant or for a while.
type Mark struct {
	Kind     Kind
	From, To time.Time // the same for an instant
	Open     bool      // it still lasts at the end
	Before   bool      // it began before the timeline's From, to which From is set
	Bad      bool
	Count    int    // how often it came, where it was counted
	Says     string // the cause or symptom that a log message tells
	Text     string
	Where    string // source and locator
}

// Bounds of a timeline that people can take in.
const (
	maxLanes = 24
	maxMarks = 30 // of one lane
)

// New orders the snapshot's times: of all places, or of one node alone. The set tells what log messages say;
// it may be nil.
func New(s *evidence.Snapshot, set *signatures.Set, node string) *Timeline {
	b := &builder{snapshot: s, set: set, node: node, lanes: map[string]*Lane{}}
	b.nodes()
	b.events()
	b.matches()
	b.containers()
	b.cloud()
	return b.timeline()
}

type builder struct {
	snapshot *evidence.Snapshot
	set      *signatures.Set
	node     string // empty: all
	lanes    map[string]*Lane
}

func (b *builder) add(lane string, node bool, m Mark) {
	if m.From.IsZero() || b.node != "" && b.node != lane {
		return
	}
	if m.To.Before(m.From) {
		m.To = m.From
	}
	l := b.lanes[lane]
	if l == nil {
		l = &Lane{Name: lane, Node: node}
		b.lanes[lane] = l
	}
	if n := len(l.Marks); m.Kind == Log && n > 0 && l.Marks[n-1].Where == m.Where { // one line, two signatures
		if last := &l.Marks[n-1]; last.Says != m.Says {
			last.Says += ", " + m.Says
		}
		return
	}
	l.Marks = append(l.Marks, m)
}

// timeline chooses lanes and the span, and brings all into order.
func (b *builder) timeline() *Timeline {
	t := &Timeline{}
	var lanes []*Lane
	for _, l := range b.lanes {
		lanes = append(lanes, l)
	}
	few := len(lanes) <= 8
	for _, l := range lanes {
		if few || l.bad() {
			t.Lanes = append(t.Lanes, l)
		} else {
			t.Left++
		}
	}
	sort.Slice(t.Lanes, func(i, j int) bool {
		a, b := t.Lanes[i], t.Lanes[j]
		if a.Node != b.Node {
			return b.Node
		}
		if x, y := a.first(), b.first(); !x.Equal(y) {
			return x.Before(y)
		}
		return a.Name < b.Name
	})
	if len(t.Lanes) > maxLanes {
		t.Left += len(t.Lanes) - maxLanes
		t.Lanes = t.Lanes[:maxLanes]
	}
	t.span(b.snapshot.TakenAt())
	t.clip()
	return t
}

func (l *Lane) bad() bool {
	for _, m := range l.Marks {
		if m.Bad {
			return true
		}
	}
	return false
}

// first is when it began to be bad; lanes without anything bad come last.
func (l *Lane) first() time.Time {
	var first time.Time
	for _, m := range l.Marks {
		if m.Bad && (first.IsZero() || m.From.Before(first)) {
			first = m.From
		}
	}
	if first.IsZero() {
		return time.Unix(1<<40, 0)
	}
	return first
}

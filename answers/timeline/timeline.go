// Package timeline orders events in time: conditions, heartbeats, cordons, events, log messages and cloud operations, in one
// lane per node. It computes and does not draw; it is pure.
package timeline

import (
	"sort"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// Timeline is the events between two times.
type Timeline struct {
	From, To time.Time
	Lanes    []*Lane
	// Left is the number of lanes that are not shown: too many, or without a bad event.
	Left int
	// Earlier is the number of single marks before From.
	Earlier int
}

// Lane is the events of one place: a node, a file without a node, the cloud, the cluster.
type Lane struct {
	Name  string
	Node  bool
	Marks []Mark
	// Left is the number of marks that are not shown.
	Left int
}

// Kind is the source of a mark.
type Kind string

// Kinds of marks.
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

// Mark is one event, at an instant or over a period.
type Mark struct {
	Kind     Kind
	From, To time.Time // the same for an instant
	Open     bool      // it still lasts at the end
	Before   bool      // it began before the timeline's From, to which From is set
	Bad      bool
	Count    int    // how often it occurred, if it was counted
	Says     string // the cause or symptom in a log message
	Text     string
	Where    string // source and locator
}

// Limits of a readable timeline.
const (
	maxLanes = 24
	maxMarks = 30 // of one lane
)

// New orders the events of the snapshot, of all places or of one node. set interprets log messages; it may be nil.
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

// timeline selects lanes and the span, and sorts all marks.
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

// first returns when the first bad event began. Lanes without bad events come last.
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

package facts

import (
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// agoOf is how long before the time of the evidence an event came last.
func agoOf(p *triage.Pass, e *evidence.Event) (time.Duration, bool) {
	if age, known := p.Age(e.Last); known {
		return age, true
	}
	if e.Ago != nil {
		return *e.Ago, true
	}
	return 0, false
}

// happenedLater reports whether one event is newer than another, by their times, or by their ages where no time is known. A
// description has them in the order of their times, which tells more than ages that are rounded.
func happenedLater(e, than *evidence.Event) bool {
	gap, known := between(than, e)
	if known && gap == 0 && e.Component != "" && than.Component != "" && e.Ref.Source == than.Ref.Source && e.Line > 0 {
		return e.Line > than.Line
	}
	return known && gap > 0
}

// between is the time from one event to the other.
func between(from, to *evidence.Event) (time.Duration, bool) {
	switch {
	case !from.Last.IsZero() && !to.Last.IsZero():
		return to.Last.Sub(from.Last), true
	case from.Ago != nil && to.Ago != nil:
		return *from.Ago - *to.Ago, true
	}
	return 0, false
}

// sameObject are the events about what a message is about. Those of a description whose head was not copied are about what
// the others of the same text are about.
func sameObject(p *triage.Pass, m *evidence.Match) []*evidence.Event {
	list := p.Snapshot.EventsOf(m.Event.Object)
	if m.Event.Object.IsZero() {
		return inText(list, m.Event.Ref.Source)
	}
	return list
}

func inText(list []*evidence.Event, source string) []*evidence.Event {
	var out []*evidence.Event
	for _, e := range list {
		if e.Ref.Source == source {
			out = append(out, e)
		}
	}
	return out
}

// startOf is when a pod was started at the latest: bundles of before 2026-11 tell only when it was made and that it works.
func startOf(pod *evidence.Pod) time.Time {
	if pod.Started.IsZero() && pod.Works() {
		return pod.Created
	}
	return pod.Started
}

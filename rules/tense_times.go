package rules

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

// happenedLater reports whether one event is newer than another, by their times, or by their ages where no time is known.
func happenedLater(e, than *evidence.Event) bool {
	gap, known := between(than, e)
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

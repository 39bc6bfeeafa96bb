package endings

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// EventShows resolves an event if a later event of the same object reports success. It is for kubectl tables and descriptions,
// which do not contain the object itself.
var EventShows = &triage.Ending{
	ID:    "event-shows",
	Doc:   "A later event of the same object shows that the failed operation succeeded.",
	Texts: events,
	Reads: []evidence.Kind{evidence.Events},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		if f.Event == nil {
			return triage.End{}, false
		}
		var last *evidence.Event
		for _, e := range timeline.OfObject(p.Snapshot, f.Event) {
			shows := timeline.EventLater(e, f.Event) && timeline.Shows(p.Snapshot, e, f.Event, p.Now)
			if shows && (last == nil || timeline.EventLater(e, last)) {
				last = e
			}
		}
		if last == nil {
			return triage.End{}, false
		}
		return triage.End{By: fmt.Sprintf("event %s%s%s", last.Reason, ofSubject(last.Object), timeline.When(last)), At: last.Last}, true
	},
}

func ofSubject(s evidence.Subject) string {
	if s.IsZero() {
		return ""
	}
	return " of " + s.String()
}

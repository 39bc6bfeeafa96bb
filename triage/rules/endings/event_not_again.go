package endings

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
	"github.com/nodetriage/nodetriage/wording"
)

// EventNotAgain ends an event that came again and again and does not any more, although who reported it goes on; and what happened on
// a node before it became Ready, where nothing has happened since.
var EventNotAgain = &triage.Ending{
	ID:    "event-not-again",
	Doc:   "The event has not come again, although who reported it goes on, or its node has become Ready since.",
	Texts: events,
	Reads: []evidence.Kind{evidence.Events},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		failed := f.Event
		if failed == nil || timeline.Stopping[failed.Reason] {
			return triage.End{}, false
		}
		recurs := failed.Count > 2
		if !recurs && p.Catalog.LastsUntilReboot(f.Says) {
			return triage.End{}, false
		}
		for _, e := range timeline.OfObject(p.Snapshot, failed) {
			gap, known := timeline.Between(failed, e)
			age, dated := timeline.Ago(e, p.Now)
			switch {
			case !known:
			case recurs && gap > timeline.LogSilence && goesOn(e, failed):
				return triage.End{By: fmt.Sprintf("%s goes on for %s without it", e.Component, wording.Duration(gap)), At: failed.Last}, true
			case gap > 0 && dated && age > timeline.LogSilence && e.Reason == "NodeReady":
				return triage.End{By: fmt.Sprintf("the node is Ready%s, and it was not said again", timeline.When(e)), At: e.Last}, true
			}
		}
		return triage.End{}, false
	},
}

// goesOn reports whether an event shows that who reported another one works.
func goesOn(e, failed *evidence.Event) bool {
	return e.Type == "Normal" && e.Component == failed.Component && failed.Component != ""
}

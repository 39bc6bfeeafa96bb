package endings

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
	"github.com/nodetriage/nodetriage/wording"
)

// EventNotAgain resolves a repeated event that stopped although its reporter keeps working. It also resolves events from before the
// node became Ready, if none came since.
var EventNotAgain = &triage.Ending{
	ID:    "event-not-again",
	Doc:   "The event did not recur although its reporter still writes events, or its node became Ready later.",
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
				return triage.End{By: fmt.Sprintf("%s has continued for %s without it", e.Component, wording.Duration(gap)), At: failed.Last}, true
			case gap > 0 && dated && age > timeline.LogSilence && e.Reason == "NodeReady":
				return triage.End{By: fmt.Sprintf("the node is Ready%s, and the event did not recur", timeline.When(e)), At: e.Last}, true
			}
		}
		return triage.End{}, false
	},
}

// goesOn reports whether an event shows that the reporter of another event works.
func goesOn(e, failed *evidence.Event) bool {
	return e.Type == "Normal" && e.Component == failed.Component && failed.Component != ""
}

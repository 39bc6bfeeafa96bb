package collect

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
)

// eventRows makes messages of events of what only the printed row of an event shows to a signature: with the object and the
// times of the event. Such rows are no lines of a log.
func eventRows(d *evidence.Data) {
	type row struct{ source, locator string }
	events := map[row]*evidence.Event{}
	for _, e := range d.Events {
		if e.Ref.Source != "" {
			events[row{e.Ref.Source, e.Ref.Locator}] = e
		}
	}
	for _, m := range d.Matches {
		if e := events[row{m.Ref.Source, m.Ref.Locator}]; e != nil && m.Kind == "" && m.LastLine == m.Line {
			m.Kind, m.Event, m.Subject, m.First, m.Last, m.Speaker = evidence.TextEvent, e, e.Object, e.First, e.Last, reporter(e)
			m.Ref.Locator = e.Reason
		}
	}
	d.Lines = slices.DeleteFunc(d.Lines, func(l *evidence.Line) bool { return events[row{l.Ref.Source, l.Ref.Locator}] != nil })
}

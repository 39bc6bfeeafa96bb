package collect

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
)

// dropEventRows leaves one match where a row of a table of events was searched twice: as a line of its text, and as the event
// that was read from it. What only the row shows becomes a message of that event, with its object and its times.
func dropEventRows(d *evidence.Data) {
	type row struct{ source, locator string }
	events := map[row]*evidence.Event{}
	for _, e := range d.Events {
		if e.Ref.Source != "" {
			events[row{e.Ref.Source, e.Ref.Locator}] = e
		}
	}
	if len(events) == 0 {
		return
	}
	type said struct {
		signature string
		source    string
	}
	of := func(e *evidence.Event) string { return "event of " + e.Object.String() + "\x00" + e.Reason }
	read := map[said]bool{}
	for _, m := range d.Matches {
		if m.Kind == evidence.TextEvent {
			read[said{m.Signature, m.Ref.Source + "\x00" + m.Ref.Locator}] = true
		}
	}
	kept := d.Matches[:0]
	for _, m := range d.Matches {
		e := events[row{m.Ref.Source, m.Ref.Locator}]
		if m.Kind != "" || e == nil || m.LastLine != m.Line {
			kept = append(kept, m)
			continue
		}
		if read[said{m.Signature, of(e)}] {
			continue
		}
		m.Kind, m.Subject, m.First, m.Last, m.Speaker = evidence.TextEvent, e.Object, e.First, e.Last, reporter(e)
		m.Ref.Locator = e.Reason
		kept = append(kept, m)
	}
	clear(d.Matches[len(kept):])
	d.Matches = kept
	d.Lines = slices.DeleteFunc(d.Lines, func(l *evidence.Line) bool { return events[row{l.Ref.Source, l.Ref.Locator}] != nil })
}

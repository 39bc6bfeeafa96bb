package collect

import (
	"cmp"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// eventRows converts matches in printed event rows to matches of the events, with the object and the times of the newest row. Such
// rows are no log lines. A match across columns is dropped: a row is no sentence.
func eventRows(d *evidence.Data, set *signatures.Set) {
	pods := podsByName(d)
	rows := printedRows(d.Events)
	d.Matches = slices.DeleteFunc(d.Matches, func(m *evidence.Match) bool {
		first, last, ok := rows.ofMatch(m)
		return ok && isCoincidence(set.Lookup(m.Signature), m, first, last)
	})
	for _, m := range d.Matches {
		first, last, ok := rows.ofMatch(m)
		if !ok {
			continue
		}
		e := last
		if newerRow(first, last) {
			e = first
		}
		m.Kind, m.Event, m.Subject, m.First, m.Last, m.Speaker = evidence.TextEvent, e, e.Object, e.First, e.Last, reporter(e)
		m.Hear(eventChannel(e, pods(e.Object)))
		m.Ref.Locator = e.Reason
	}
	d.Lines = slices.DeleteFunc(d.Lines, func(l *evidence.Line) bool { return rows.at(l.Ref.Source, l.Number) != nil })
}

// shownRows are the events of each source that were printed in a text, by line.
type shownRows map[string][]*evidence.Event

func printedRows(events []*evidence.Event) shownRows {
	out := shownRows{}
	for _, e := range events {
		if e.Line > 0 {
			out[e.Ref.Source] = append(out[e.Ref.Source], e)
		}
	}
	for _, list := range out {
		slices.SortStableFunc(list, func(a, b *evidence.Event) int { return cmp.Compare(a.Line, b.Line) })
	}
	return out
}

// at returns the event whose row contains the line, or nil.
func (r shownRows) at(source string, line int) *evidence.Event {
	list := r[source]
	i, found := slices.BinarySearchFunc(list, line, func(e *evidence.Event, n int) int { return cmp.Compare(e.Line, n) })
	if !found {
		i--
	}
	if i < 0 || line > list[i].EndLine {
		return nil
	}
	return list[i]
}

// ofMatch returns the events in whose rows the first and the last line of the match are.
func (r shownRows) ofMatch(m *evidence.Match) (first, last *evidence.Event, ok bool) {
	first, last = r.at(m.Ref.Source, m.Line), r.at(m.Ref.Source, m.LastLine)
	return first, last, m.Kind == "" && first != nil && last != nil
}

// isCoincidence reports whether a match is in names that users chose, or across columns.
func isCoincidence(sig *signatures.Signature, m *evidence.Match, first, last *evidence.Event) bool {
	both := func(is func(sig *signatures.Signature, text string, e *evidence.Event) bool) bool {
		return is(sig, m.Ref.Text, first) && (m.LastText == "" || is(sig, m.LastText, last))
	}
	named := func(sig *signatures.Signature, text string, e *evidence.Event) bool {
		return byTenantsName(sig, e, text)
	}
	return first.Object == last.Object && both(named) || both(acrossColumns)
}

// acrossColumns reports whether a match starts in the column with the reporter of the event and continues in the message.
func acrossColumns(sig *signatures.Signature, text string, e *evidence.Event) bool {
	if e.Component == "" || e.Message == "" || sig == nil {
		return false
	}
	hit := sig.Hit(text)
	at, column := strings.Index(text, hit), strings.Index(text, e.Component)
	message := strings.LastIndex(text, e.Message[:min(len(e.Message), startOfMessage)])
	return column >= 0 && column <= at && at < message && at+len(hit) > message
}

// startOfMessage is how many bytes of a message locate it in its row: the rest may be cut or wrapped.
const startOfMessage = 20

// newerRow reports whether event a is newer than event b with the same text.
func newerRow(a, b *evidence.Event) bool {
	if a.Ago != nil && b.Ago != nil {
		return *a.Ago < *b.Ago
	}
	return a.Last.After(b.Last)
}

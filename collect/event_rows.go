package collect

import (
	"cmp"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/signatures"
)

// eventRows makes messages of events of what only the printed rows of events show to a signature: with the object and the
// times of the newest of them. Such rows are no lines of a log. What is recognised across columns is dropped: a row is no
// sentence.
func eventRows(d *evidence.Data, set *signatures.Set) {
	pods := podsByName(d)
	shown := map[string][]*evidence.Event{} // by their lines
	for _, e := range d.Events {
		if e.Line > 0 {
			shown[e.Ref.Source] = append(shown[e.Ref.Source], e)
		}
	}
	for _, list := range shown {
		slices.SortStableFunc(list, func(a, b *evidence.Event) int { return cmp.Compare(a.Line, b.Line) })
	}
	at := func(source string, line int) *evidence.Event {
		list := shown[source]
		i, found := slices.BinarySearchFunc(list, line, func(e *evidence.Event, n int) int { return cmp.Compare(e.Line, n) })
		if !found {
			i--
		}
		if i < 0 || line > list[i].EndLine {
			return nil
		}
		return list[i]
	}
	d.Matches = slices.DeleteFunc(d.Matches, func(m *evidence.Match) bool {
		first, last := at(m.Ref.Source, m.Line), at(m.Ref.Source, m.LastLine)
		if m.Kind != "" || first == nil || last == nil {
			return false
		}
		sig := set.Lookup(m.Signature)
		return acrossColumns(sig, m.Ref.Text, first) && (m.LastText == "" || acrossColumns(sig, m.LastText, last))
	})
	for _, m := range d.Matches {
		first, last := at(m.Ref.Source, m.Line), at(m.Ref.Source, m.LastLine)
		if m.Kind != "" || first == nil || last == nil {
			continue
		}
		e := last
		if newerRow(first, last) {
			e = first
		}
		m.Kind, m.Event, m.Subject, m.First, m.Last, m.Speaker = evidence.TextEvent, e, e.Object, e.First, e.Last, reporter(e)
		m.Hear(eventChannel(e, pods[e.Object]))
		m.Ref.Locator = e.Reason
	}
	d.Lines = slices.DeleteFunc(d.Lines, func(l *evidence.Line) bool { return at(l.Ref.Source, l.Number) != nil })
}

// acrossColumns reports whether what a signature recognises in a row begins in the column that tells who reported the event, and goes on
// in its message.
func acrossColumns(sig *signatures.Signature, text string, e *evidence.Event) bool {
	column := e.Component
	if e.Host != "" {
		column += ", " + e.Host
	}
	if column == "" || sig == nil {
		return false
	}
	from, hit := strings.Index(text, column), sig.Hit(text)
	at, to := strings.Index(text, hit), from+len(column)
	begins := from >= 0 && from <= at && at < to
	return begins && at+len(hit) > to
}

// newerRow reports whether the first of two events of one text came later.
func newerRow(a, b *evidence.Event) bool {
	if a.Ago != nil && b.Ago != nil {
		return *a.Ago < *b.Ago
	}
	return a.Last.After(b.Last)
}

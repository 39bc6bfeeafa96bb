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
		named := byTenantsName(sig, first, m.Ref.Text) && (m.LastText == "" || byTenantsName(sig, last, m.LastText))
		if first.Object == last.Object && named {
			return true
		}
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

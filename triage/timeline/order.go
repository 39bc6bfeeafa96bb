package timeline

import (
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/wording"
)

// Later reports whether the second message came after the last of the first: by line number in one block of one source, by the
// order of two events, or else by their times.
func Later(m, end *evidence.Match) bool {
	if m.LastLine > 0 && end.LastLine > 0 && m.Ref.Source == end.Ref.Source && m.Block == end.Block {
		return end.LastLine > m.LastLine
	}
	if m.Event != nil && end.Event != nil {
		return EventLater(end.Event, m.Event)
	}
	if linesOfLogs(m, end) {
		if gap, known := logline.Apart(LastText(m), LastText(end)); known {
			return gap > 0
		}
	}
	return !m.Last.IsZero() && end.Last.After(m.Last)
}

// LongBefore reports whether a later message is too late to belong to the same incident.
func LongBefore(m, next *evidence.Match) bool {
	if !linesOfLogs(m, next) {
		return false
	}
	gap, known := logline.Apart(LastText(m), next.Ref.Text)
	return known && gap > LogSilence
}

// linesOfLogs reports whether both messages are lines of logs.
func linesOfLogs(a, b *evidence.Match) bool {
	return isLine(a) && isLine(b)
}

func isLine(m *evidence.Match) bool { return m.Line > 0 && m.Event == nil }

// LastText returns the newest line of a message.
func LastText(m *evidence.Match) string {
	if m.LastText != "" {
		return m.LastText
	}
	return m.Ref.Text
}

// ShortLine returns the newest line of a match without its log header, shortened for a sentence.
func ShortLine(m *evidence.Match) string {
	return wording.Cut(logline.Body(LastText(m)), 100)
}

// Covers reports whether one signature matched all lines that another matched: at least as often, from the first to the last of
// them.
func Covers(a, b *evidence.Match) bool {
	if b.Line == 0 || a.Ref.Source != b.Ref.Source || a.Block != b.Block {
		return false
	}
	last := a.LastLine >= b.LastLine && !a.Last.Before(b.Last) // what a report keeps of a line has only its time
	return a.Count >= b.Count && a.Line <= b.Line && last
}

// WrongClock is the tolerated clock skew: beyond it, new certificates and tokens fail.
const WrongClock = time.Minute

// CameLater reports whether one time is after another. A time after that of the evidence comes from a clock that was ahead, so it
// only compares with such times.
func CameLater(s *evidence.Snapshot, at, than time.Time) bool {
	taken := s.TakenAt()
	credible := func(t time.Time) bool { return taken.IsZero() || !t.After(taken.Add(WrongClock)) }
	return at.After(than) && (credible(at) || !credible(than))
}

// Stamp formats a time of day for a sentence.
func Stamp(t time.Time) string { return t.UTC().Format("15:04:05Z") }

// EventLater reports whether one event is newer than another, by their times, or by their ages if no time is known. A description
// lists them in order, which is more exact than rounded ages.
func EventLater(e, than *evidence.Event) bool {
	gap, known := Between(than, e)
	if known && gap == 0 && together(e, than) {
		return e.Line > than.Line
	}
	return known && gap > 0
}

// together reports whether two events of components are in the same text.
func together(e, other *evidence.Event) bool {
	named := e.Component != "" && other.Component != ""
	return named && e.Line > 0 && e.Ref.Source == other.Ref.Source
}

// Between returns the time from one event to the other.
func Between(from, to *evidence.Event) (time.Duration, bool) {
	switch {
	case !from.Last.IsZero() && !to.Last.IsZero():
		return to.Last.Sub(from.Last), true
	case from.Ago != nil && to.Ago != nil:
		return *from.Ago - *to.Ago, true
	}
	return 0, false
}

// Ago returns the age of the last occurrence of an event; now is the time of the evidence, or zero.
func Ago(e *evidence.Event, now time.Time) (time.Duration, bool) {
	switch {
	case !e.Last.IsZero() && !now.IsZero():
		return now.Sub(e.Last), true
	case e.Ago != nil:
		return *e.Ago, true
	}
	return 0, false
}

// OfObject returns the events about the object of an event. If a description was copied without its header, its events are about
// the same object.
func OfObject(s *evidence.Snapshot, e *evidence.Event) []*evidence.Event {
	list := s.EventsOf(e.Object)
	if !e.Object.IsZero() {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(other *evidence.Event) bool { return other.Ref.Source != e.Ref.Source })
}

// When formats the time of an event for the end of a sentence.
func When(e *evidence.Event) string {
	switch {
	case !e.Last.IsZero():
		return " at " + Stamp(e.Last)
	case e.Ago != nil:
		return ", " + wording.Duration(*e.Ago) + " before the text was printed"
	}
	return ""
}

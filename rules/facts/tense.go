package facts

import (
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/logline"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// A message is evidence of now until something later ends it. This file knows what ends which: tense is asked by every rule
// that reads messages.

// ending is the fact that ended what a message tells of.
type ending struct {
	By string    // in words: "pod shop/web-0 runs since 12:00:03Z"
	At time.Time // zero: not known
}

// Over reports whether what a message tells of has ended.
func Over(p *triage.Pass, m *evidence.Match) bool {
	_, ended := EndOf(p, m)
	return ended
}

// shortLine is the newest line of a match without its head, cut for a sentence.
func shortLine(m *evidence.Match) string {
	return wording.Cut(logline.Body(lastText(m)), 100)
}

// later reports whether the second message came after the last of the first: by the line in one block of one source, by what
// two events tell, else by their times.
func later(m, end *evidence.Match) bool {
	if m.LastLine > 0 && end.LastLine > 0 && m.Ref.Source == end.Ref.Source && m.Block == end.Block {
		return end.LastLine > m.LastLine
	}
	if m.Event != nil && end.Event != nil {
		return happenedLater(end.Event, m.Event)
	}
	if linesOfLogs(m, end) {
		if gap, known := logline.Apart(lastText(m), lastText(end)); known {
			return gap > 0
		}
	}
	return !m.Last.IsZero() && end.Last.After(m.Last)
}

// apart is the time from the last line of one message to the first of another, where both are lines of logs.
func apart(m, next *evidence.Match) (time.Duration, bool) {
	if !linesOfLogs(m, next) {
		return 0, false
	}
	return logline.Apart(lastText(m), next.Ref.Text)
}

// linesOfLogs reports whether both messages are lines of logs.
func linesOfLogs(a, b *evidence.Match) bool {
	return a.Line > 0 && b.Line > 0 && a.Event == nil && b.Event == nil
}

// lastText is the newest line of a message.
func lastText(m *evidence.Match) string { return firstOf(m.LastText, m.Ref.Text) }

// longBefore reports whether a message belongs to another time than a later one.
func longBefore(m, next *evidence.Match) bool {
	gap, known := apart(m, next)
	return known && gap > logSilence
}

func stamp(t time.Time) string { return t.UTC().Format("15:04:05Z") }

func firstOf(list ...string) string {
	i := slices.IndexFunc(list, func(s string) bool { return s != "" })
	if i < 0 {
		return ""
	}
	return list[i]
}

package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// maxTraced limits how many messages the terminal form of a trace lists. JSON has all.
const maxTraced = 500

// trace writes how each conclusion was reached.
func (s *screen) trace(t *triage.Trace) {
	if t == nil {
		return
	}
	s.section(ofCause("Trace: causes and symptoms", t.Of))
	if len(t.Statements) == 0 {
		s.note("none was claimed")
	}
	for _, before := range t.Before {
		s.labelled("before it", before)
	}
	for i, st := range t.Statements {
		s.statement(i+1, st)
	}
	s.messages(t.Of, t.Messages)
	if t.Of == "" {
		s.unread(t.Unread)
	}
}

// statement writes one cause or symptom that was claimed.
func (s *screen) statement(n int, st triage.TracedStatement) {
	about := "no subject known"
	if !st.Subject.IsZero() {
		about = st.Subject.String()
	}
	s.heading(n, fmt.Sprintf("%s, %s: %s", st.ID, about, st.Place))
	s.labelled("why", st.Because)
	if st.Place == triage.InFindings {
		s.labelled("position", fmt.Sprintf("order %.3f (rank %.3f, score %.3f)", st.Order, st.Rank, st.Score))
	}
	if st.FollowsFrom != "" {
		s.labelled("follows", st.FollowsFrom)
	}
	for _, c := range st.Claims {
		s.labelled("claim", claimTraced(c))
	}
	for _, refused := range st.NotExplained {
		s.labelled("not", "explained by this: "+refused)
	}
}

// messages writes the result for each message that a signature matched, sorted by text, optionally for one cause only.
func (s *screen) messages(of string, list []triage.TracedMessage) {
	s.section(ofCause("Trace: messages that signatures matched", of))
	if len(list) == 0 {
		s.note("none")
	}
	shown := list[:min(len(list), maxTraced)]
	for i, m := range shown {
		if i == 0 || !sameText(shown[i-1], m) {
			s.paragraph(textTraced(m))
			s.detail(withTaken(m.Text, m.Took, s.excerpt()))
		}
		s.detail("- " + fateTraced(m))
		if m.Took != "" {
			s.detail("  matched: " + bothEnds(m.Took, tookTraced))
			if _, rest, _ := strings.Cut(m.Text, m.Took); strings.ContainsFunc(rest, unicode.IsLetter) {
				s.detail("  not matched after it: " + shorten(strings.TrimSpace(rest), tookTraced))
			}
		}
	}
	if n := len(list) - maxTraced; n > 0 {
		s.note(fmt.Sprintf("%d more messages: -o json lists all", n))
	}
}

// ofCause returns the title of a section, with the cause if the trace is about one.
func ofCause(title, id string) string {
	if id == "" {
		return title
	}
	return title + " (" + id + ")"
}

// unreadTraced limits how many lines without a signature the terminal form lists. JSON has all.
const unreadTraced = 10

// unread writes the most severe lines that no signature matched, which an answer may have missed.
func (s *screen) unread(lines []triage.TracedLine) {
	s.section("Trace: lines that tell of trouble and that no signature matched")
	if len(lines) == 0 {
		s.note("none")
	}
	for _, l := range lines[:min(len(lines), unreadTraced)] {
		s.paragraph(fmt.Sprintf("%s %s [%s, %s]", l.Source, l.Locator, l.Gravity, orUnknown("speaker", string(l.Speaker))))
		s.detail(shorten(l.Text, s.excerpt()))
	}
	if n := len(lines) - unreadTraced; n > 0 {
		s.note(fmt.Sprintf("%d more lines: -o json lists all", n))
	}
}

func claimTraced(c triage.TracedClaim) string {
	out := c.Rule
	if c.Key != "" {
		out += ", " + c.Key
	}
	if c.Certainty != "" {
		out += ", " + string(c.Certainty)
	}
	if c.Doubts > 0 && c.Certainty == triage.Possible {
		out += fmt.Sprintf(" (%.3f, for it is doubted)", c.Weight)
	}
	return strings.TrimSpace(out + ": " + c.Source + " " + c.Locator)
}

// tookTraced limits how much of the text that a signature matched is shown, in bytes.
const tookTraced = 160

// bothEnds returns a text without its middle, if it is long.
func bothEnds(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most/2]) + " ... " + string(runes[len(runes)-most/2:])
}

// withTaken returns an excerpt of a text that contains the words that a signature matched.
func withTaken(text, took string, most int) string {
	at := strings.Index(text, took)
	if took == "" || at < 0 || at+len(took) <= most {
		return shorten(text, most)
	}
	from := max(0, min(at, at+len(took)-most/2))
	for from < at && !utf8.RuneStart(text[from]) {
		from++
	}
	return "... " + shorten(text[from:], most)
}

// sameText reports whether two signatures matched the same text.
func sameText(a, b triage.TracedMessage) bool {
	return a.Source == b.Source && a.Locator == b.Locator && a.Text == b.Text
}

// textTraced returns the location of a text and its detected type.
func textTraced(m triage.TracedMessage) string {
	known := joined(", ", behindName("class", m.Class), behindName("speaker", string(m.Speaker)), behindName("owner", ownerTraced(m.Owner)))
	if known == "" {
		known = "source unknown"
	}
	return strings.TrimSpace(m.Source+" "+m.Locator) + timesTraced(m.Count) + " [" + known + "]"
}

// fateTraced returns the result for a message.
func fateTraced(m triage.TracedMessage) string {
	id := m.Signature
	if m.Certainty != "" {
		id += " (" + m.Certainty + ")"
	}
	out := fmt.Sprintf("signature %s supports %s%s: %s", id, orNothing(m.Says), ofMechanism(m.Mechanism), traceSays(m.Fate))
	if m.Claimed != "" {
		out += " as " + string(m.Claimed)
	}
	if m.Because != "" {
		out += ", " + m.Because
	}
	return out
}

func traceSays(f triage.Fate) string {
	if f == triage.Claimed {
		return "counted"
	}
	return string(f)
}

func ofMechanism(id string) string {
	if id == "" {
		return ""
	}
	return " (mechanism " + id + ")"
}

// behindName returns a value after its name; empty if there is none.
func behindName(name, value string) string {
	if value == "" {
		return ""
	}
	return name + " " + value
}

func ownerTraced(s evidence.Subject) string {
	if s.IsZero() {
		return ""
	}
	return s.String()
}

// timesTraced returns how often a text occurred, if more than once.
func timesTraced(n int) string {
	if n < 2 {
		return ""
	}
	return fmt.Sprintf(" (%d times)", n)
}

func orUnknown(name, value string) string {
	if value == "" {
		value = "unknown"
	}
	return name + " " + value
}

func orNothing(id string) string {
	if id == "" {
		return "nothing by itself"
	}
	return id
}

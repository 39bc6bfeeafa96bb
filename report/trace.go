package report

import (
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/triage"
)

// maxTraced bounds how many messages the terminal form of a trace lists; JSON has all.
const maxTraced = 500

// trace writes how the report came about.
func (s *screen) trace(t *triage.Trace) {
	if t == nil {
		return
	}
	s.section("Trace: causes and symptoms")
	if len(t.Statements) == 0 {
		s.note("none was claimed")
	}
	for i, st := range t.Statements {
		s.heading(i+1, fmt.Sprintf("%s, %s: %s", st.ID, st.Subject, st.Place))
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
	s.section("Trace: messages that signatures matched")
	if len(t.Messages) == 0 {
		s.note("none")
	}
	shown := t.Messages[:min(len(t.Messages), maxTraced)]
	for i, m := range shown {
		if i == 0 || !sameText(shown[i-1], m) {
			s.paragraph(textTraced(m))
			s.detail(shorten(m.Text, s.excerpt()))
		}
		s.detail("- " + fateTraced(m))
	}
	if n := len(t.Messages) - maxTraced; n > 0 {
		s.note(fmt.Sprintf("%d more messages: -o json lists all", n))
	}
	s.unread(t.Unread)
}

// unreadTraced bounds how many lines without a signature the terminal form lists; JSON has all.
const unreadTraced = 10

// unread writes the gravest lines that no signature matched: what an answer may have missed.
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
	if c.Confidence != "" {
		out += ", " + string(c.Confidence)
	}
	return strings.TrimSpace(out + ": " + c.Source + " " + c.Locator)
}

// sameText reports whether two signatures matched one text.
func sameText(a, b triage.TracedMessage) bool {
	return a.Source == b.Source && a.Locator == b.Locator && a.Text == b.Text
}

// textTraced is where a text stands and as what it was identified.
func textTraced(m triage.TracedMessage) string {
	known := joined(", ", orUnknown("class", m.Class), orUnknown("speaker", string(m.Speaker)), "owner "+m.Owner.String())
	return strings.TrimSpace(m.Source+" "+m.Locator) + " [" + known + "]"
}

// fateTraced is what became of a message.
func fateTraced(m triage.TracedMessage) string {
	out := fmt.Sprintf("%s says %s%s: %s", m.Signature, orNothing(m.Says), ofMechanism(m.Mechanism), m.Fate)
	if m.Confidence != "" {
		out += " as " + string(m.Confidence)
	}
	if m.Because != "" {
		out += ", " + m.Because
	}
	return out
}

func ofMechanism(id string) string {
	if id == "" {
		return ""
	}
	return " (mechanism " + id + ")"
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

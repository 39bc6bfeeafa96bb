package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/nodetriage/nodetriage/answers/diff"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// Limits of the one-screen form of a comparison.
const (
	changedNodes = 10
	changesShown = 12
)

// Changes writes what differs between two reports, for a terminal.
func Changes(w io.Writer, d *diff.Diff, style Style) error { return changesOn.text(w, d, style) }

// ChangesMarkdown writes it for a ticket.
func ChangesMarkdown(w io.Writer, d *diff.Diff) error { return changesOn.markdown(w, d) }

// ChangesHTML writes it as one self-contained page.
func ChangesHTML(w io.Writer, d *diff.Diff, version string) error {
	return changesOn.html(w, d, version)
}

var changesOn paged[diff.Diff] = func(s canvas, d *diff.Diff) {
	word, color := strings.ToUpper(string(d.Verdict)), verdictColor(d.Verdict)
	if d.Verdict == triage.Healthy && d.After.Verdict != triage.Healthy {
		word, color = "NOTHING NEW", verdictColor(d.After.Verdict) // and still unhealthy
	}
	s.title(word, color, cameSays(d))
	s.note("before: " + lookSays(d.Before))
	s.note("after:  " + lookSays(d.After))
	for _, part := range causeParts(d) {
		if len(part.causes) == 0 {
			continue
		}
		s.section(part.title)
		limit := s.limit(listRows, len(part.causes))
		for _, c := range part.causes[:limit] {
			s.paragraph(causeSays(c))
		}
		s.left(len(part.causes)-limit, paragraphs, "", "")
	}
	if len(d.Joined)+len(d.Left)+len(d.Nodes) > 0 {
		s.section("Changed on nodes")
		if len(d.Joined) > 0 {
			s.paragraph("joined: " + wording.Some(d.Joined))
		}
		if len(d.Left) > 0 {
			s.paragraph("left: " + wording.Some(d.Left))
		}
	}
	limit := s.limit(changedNodes, len(d.Nodes))
	for _, n := range d.Nodes[:limit] {
		s.entry(n.Name, "")
		shown := s.limit(changesShown, len(n.Changes))
		for _, c := range n.Changes[:shown] {
			s.detail(changeSays(c))
		}
		s.left(len(n.Changes)-shown, paragraphs, "change", "changes")
	}
	s.left(len(d.Nodes)-limit, paragraphs, "node", "nodes")
	for _, text := range d.Lacking {
		s.remark("Not compared: " + text)
	}
	writeKnowledge(s, d.After.Knowledge)
}

type causePart struct {
	title  string
	causes []diff.Cause
}

func causeParts(d *diff.Diff) []causePart {
	return []causePart{{"Came", d.Came}, {"Stayed", d.Stayed}, {"Went", d.Went}, {"Not seen again, and nothing shows that it is gone", d.Unseen}}
}

// cameSays counts new, remaining and resolved causes.
func cameSays(d *diff.Diff) string {
	out := fmt.Sprintf("%s came, %d stayed, %d went", wording.Count(len(d.Came), "cause"), len(d.Stayed), len(d.Went))
	if len(d.Unseen) > 0 {
		out += fmt.Sprintf(", %d could not be looked at again", len(d.Unseen))
	}
	return out
}

func lookSays(l diff.Look) string {
	out := l.Source + ", " + strings.ToUpper(string(l.Verdict))
	if l.TakenAt != nil {
		out += ", as of " + wording.Instant(*l.TakenAt)
	}
	return out
}

func causeSays(c diff.Cause) string {
	out := c.Cause + " (" + string(c.Severity) + ")"
	if !c.Subject.IsZero() {
		out += ", " + c.Subject.String()
	}
	return out + ": " + c.Because
}

func changeSays(c diff.Change) string {
	out := fmt.Sprintf("%s: %s -> %s", c.What, cmp.Or(c.Before, "none"), cmp.Or(c.After, "none"))
	switch c.What {
	case "pods gone":
		out = c.What + ": " + c.Before
	case "pods come":
		out = c.What + ": " + c.After
	}
	if c.At != nil && !strings.Contains(out, wording.Instant(*c.At)) {
		out += ", " + wording.Instant(*c.At)
	}
	return out
}

package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/nodetriage/nodetriage/changes"
	"github.com/nodetriage/nodetriage/wording"
)

// What one screen shows of two looks.
const (
	changedNodes = 10
	changesShown = 12
)

// Changes writes what differs between two looks, for a terminal.
func Changes(w io.Writer, d *changes.Diff, style Style) error {
	d = cleaned(d)
	s := screen{style: style}
	s.line("%s  %s", style.verdict(d.Verdict), wrapFrom(cameSays(d), len(d.Verdict)+2, style.width(), margin))
	s.line("%s%s", margin, wrap("before: "+lookSays(d.Before), style.width(), margin))
	s.line("%s%s", margin, wrap("after:  "+lookSays(d.After), style.width(), margin))
	for _, part := range causeParts(d) {
		if len(part.causes) == 0 {
			continue
		}
		s.section(part.title)
		limit := s.limit(listRows, len(part.causes))
		for _, c := range part.causes[:limit] {
			s.paragraph(causeSays(c))
		}
		s.more(len(part.causes)-limit, margin, "", "")
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
		s.line("%s%s", margin, style.paint(bold, n.Name))
		shown := s.limit(changesShown, len(n.Changes))
		for _, c := range n.Changes[:shown] {
			s.line("%s  %s", margin, wrap(changeSays(c), style.width(), margin+"    "))
		}
		s.more(len(n.Changes)-shown, margin+"  ", "change", "changes")
	}
	s.more(len(d.Nodes)-limit, margin, "node", "nodes")
	for _, text := range d.Lacking {
		s.line("\n%s", wrap("Not compared: "+text, style.width(), margin))
	}
	_, err := io.WriteString(w, s.String())
	return err
}

// ChangesMarkdown writes it for a ticket.
func ChangesMarkdown(w io.Writer, d *changes.Diff) error {
	d = cleaned(d)
	m := markdown{}
	m.line("## %s", mdText(cameSays(d)))
	m.line("\n- before: %s\n- after: %s", mdText(lookSays(d.Before)), mdText(lookSays(d.After)))
	for _, part := range causeParts(d) {
		if len(part.causes) == 0 {
			continue
		}
		m.line("\n### %s\n", part.title)
		for _, c := range part.causes {
			m.line("- %s", mdText(causeSays(c)))
		}
	}
	if len(d.Joined) > 0 {
		m.line("\nNodes that joined: %s", mdText(wording.Some(d.Joined)))
	}
	if len(d.Left) > 0 {
		m.line("\nNodes that left: %s", mdText(wording.Some(d.Left)))
	}
	for _, n := range d.Nodes {
		m.line("\n### Changed on %s\n", mdText(n.Name))
		for _, c := range n.Changes {
			m.line("- %s", mdText(changeSays(c)))
		}
	}
	for _, text := range d.Lacking {
		m.line("\nNot compared: %s", mdText(text))
	}
	_, err := io.WriteString(w, m.String())
	return err
}

type causePart struct {
	title  string
	causes []changes.Cause
}

func causeParts(d *changes.Diff) []causePart {
	return []causePart{{"Came", d.Came}, {"Stayed", d.Stayed}, {"Went", d.Went}, {"Not seen again, and nothing shows that it is gone", d.Unseen}}
}

// cameSays counts what became of the causes.
func cameSays(d *changes.Diff) string {
	out := fmt.Sprintf("%s came, %d stayed, %d went", wording.Count(len(d.Came), "cause"), len(d.Stayed), len(d.Went))
	if len(d.Unseen) > 0 {
		out += fmt.Sprintf(", %d could not be looked at again", len(d.Unseen))
	}
	return out
}

func lookSays(l changes.Look) string {
	out := l.Source + ", " + strings.ToUpper(string(l.Verdict))
	if l.TakenAt != nil {
		out += ", as of " + wording.Instant(*l.TakenAt)
	}
	return out
}

func causeSays(c changes.Cause) string {
	out := c.Cause + " (" + string(c.Severity) + ")"
	if !c.Subject.IsZero() {
		out += ", " + c.Subject.String()
	}
	return out + ": " + c.Because
}

func changeSays(c changes.Change) string {
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

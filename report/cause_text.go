package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/wording"
)

// Explain writes a page of the catalog for a terminal: one screen, or everything.
func Explain(w io.Writer, p *Page, style Style) error {
	meaning := p.Meaning
	p = cleaned(p)
	if !style.Wide {
		return explainFirst(w, p, meaning, style)
	}
	s := explain{screen{style: style}}
	s.line("%s", s.style.paint(bold, wording.Wrap(p.Title, style.width(), "")))
	if p.Kind == "Symptom" {
		s.line("%s: symptom (an effect with several possible causes)", p.ID)
	} else {
		s.line("%s: %s, %s, affects a %s", p.ID, s.style.severity(p.Severity), p.Layer, p.Scope)
		s.list("Impact", nonempty(p.Impact))
	}
	if says := alsoSays(p); says != "" {
		s.line("%s", wording.Wrap("Also: "+says, style.width(), margin))
	}
	if meaning != "" {
		s.line("\n%s", strings.TrimRight(markdownText(meaning, style), "\n"))
	}
	if p.Look != "" {
		s.section(narrowDown)
		s.paragraph(p.Look)
	}
	s.list(forms, p.Forms)
	s.confirm(p)
	before, cautions := preconditions(p.Cautions)
	s.list(beforeFixes, apply(before, capital))
	s.remedies(p.Remedies)
	s.list("Verify", shell.Strings(p.Verify))
	s.list("Caution", shell.Strings(cautions))
	s.links("Effects", p.Explains)
	s.links("Possible causes", p.ExplainedBy)
	s.links(confused, p.Supersedes)
	s.list("Sources", p.References)
	s.messages(p.Messages)
	_, err := io.WriteString(w, s.String())
	return err
}

type explain struct{ screen }

func (s *explain) confirm(p *Page) {
	if len(p.Confirm) == 0 {
		return
	}
	s.section(confirmTitle(p))
	for i, c := range p.Confirm {
		if where := p.whereOf(i); where != "" {
			s.line("%s%s:", margin, wording.Wrap(where, s.style.width()-1, margin))
		}
		s.line("%s%s", margin, s.style.paint(bold, string(c.Run)))
		s.line("%s   %s", margin, wording.Wrap(p.expects(c), s.style.width(), margin+"   "))
	}
}

// confirmTitle returns the title of a page's checks.
func confirmTitle(p *Page) string {
	if p.Kind == "Symptom" {
		return "Checks, in this order"
	}
	return "Check: the output that confirms the cause"
}

func (s *explain) remedies(list []catalog.Remedy) {
	if len(list) == 0 {
		return
	}
	s.section(fixes)
	for i, r := range list {
		s.line("%-2d %s", i+1, wording.Wrap(r.Title+" ("+riskSays(r)+")", s.style.width(), margin))
		for _, c := range atPlaces(&r, r.Commands) {
			s.line("%s   %s", margin, s.style.paint(bold, string(c)))
		}
	}
}

func (s *explain) list(title string, items []string) {
	if len(items) == 0 {
		return
	}
	s.section(title)
	for _, item := range items {
		s.paragraph(item)
	}
}

func (s *explain) links(title string, list []Link) {
	if len(list) == 0 {
		return
	}
	s.section(title)
	for _, l := range list {
		name := l.ID
		if l.Symptom {
			name += " (symptom)"
		}
		s.line("%s%-34s %s", margin, name, wording.WrapFrom(l.Title, len(margin)+35, s.style.width(), margin+strings.Repeat(" ", 35)))
	}
}

// messages lists the components that print matching messages, and the patterns, the most certain first.
func (s *explain) messages(list []Message) {
	if len(list) == 0 {
		return
	}
	var components []string
	for _, m := range list {
		components = append(components, componentSays(m.Component))
	}
	slices.Sort(components)
	components = slices.Compact(components)
	s.section("Detected by " + wording.Count(len(list), "message pattern"))
	s.paragraph("of " + strings.Join(components, ", "))
	for _, m := range list {
		s.paragraph(strings.TrimSpace(fmt.Sprintf("%s %s: %s", m.Certainty, m.ID, m.Pattern)))
	}
}

// ExplainList writes all causes by layer, and all symptoms, for a terminal.
func ExplainList(w io.Writer, x *Index, style Style) error {
	x = cleaned(x)
	s := screen{style: style}
	total := 0
	row := func(id, title string) {
		s.line("%s%-36s %s", margin, id, wording.WrapFrom(title, len(margin)+37, style.width(), margin+strings.Repeat(" ", 37)))
	}
	for _, l := range x.Layers {
		s.line("%s", s.style.paint(bold, l.Name))
		for _, c := range l.Causes {
			row(c.ID, c.Title)
			total++
		}
	}
	s.line("%s", s.style.paint(bold, "symptoms"))
	for _, l := range x.Symptoms {
		row(l.ID, l.Title)
	}
	if len(x.Questions) > 0 {
		s.line("%s", s.style.paint(bold, "questions"))
		for _, l := range x.Questions {
			row(l.ID, l.Title)
		}
	}
	if len(x.Checks) > 0 {
		s.line("%s", s.style.paint(bold, "checks (nodetriage check)"))
		for _, l := range x.Checks {
			row(l.ID, l.Title)
		}
	}
	s.line("\n%d causes, %d symptoms, %d questions, %d checks: nodetriage explain ID", total, len(x.Symptoms), len(x.Questions), len(x.Checks))
	_, err := io.WriteString(w, s.String())
	return err
}

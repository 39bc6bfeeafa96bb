package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/wording"
)

// pageScreen writes the page of a cause or a symptom on one screen: what it is, the checks, the fixes with their risk, what not to
// do and how to verify a fix. Names of other pages and the rest are counted.
type pageScreen struct {
	style Style
	p     *Page
	parts []part
}

func explainFirst(w io.Writer, p *Page, meaning string, style Style) error {
	s := &pageScreen{style: style, p: p}
	s.head()
	if says := alsoSays(p); says != "" {
		s.add(form{rows: style.row("Also:", says, detailColumns)})
	}
	s.meaning(meaning)
	if p.Look != "" {
		s.add(form{style.rows(narrowDown+":", p.Look, detailColumns, 3), keepSummary}, form{rows: style.row(narrowDown+":", p.Look, detailColumns)})
	}
	s.checks()
	s.fixes()
	s.parts = append(s.parts, style.avoidAndVerify(p.Cautions, p.Verify)...)
	s.gap()
	s.links("Possible causes", p.ExplainedBy, keepSecond)
	s.links(confused, p.Supersedes, keepSecond)
	s.links("Effects", p.Explains, keepNames)
	s.add(form{rows: style.row("", "Everything, with message patterns and sources: -o wide", 0)})
	_, err := io.WriteString(w, strings.Join(fitParts(s.parts, style.height(), style.width()), "\n")+"\n")
	return err
}

// add adds a part with its forms. Without rows it adds nothing.
func (s *pageScreen) add(forms ...form) {
	if len(forms[0].rows) > 0 {
		s.parts = append(s.parts, forms)
	}
}

// gap adds an empty row before the next part, unless rows are short.
func (s *pageScreen) gap() { s.add(form{[]string{""}, keepBlank}, form{}) }

func (s *pageScreen) head() {
	p := s.p
	about := fmt.Sprintf("%s: symptom (an effect with several possible causes)", p.ID)
	if p.Kind != "Symptom" {
		about = fmt.Sprintf("%s: %s, %s, affects a %s", p.ID, s.style.severity(p.Severity), p.Layer, p.Scope)
	}
	rows := strings.Split(s.style.paint(bold, wording.Wrap(p.Title, s.style.width(), "")), "\n")
	rows = append(rows, about)
	if p.Impact != "" {
		rows = append(rows, s.style.block("Impact", p.Impact, labelColumns)...)
	}
	s.add(form{rows: rows})
}

// meaning writes the text of a page, its first paragraph, or the first rows of it.
func (s *pageScreen) meaning(text string) {
	if text == "" {
		return
	}
	s.gap()
	rows := strings.Split(strings.TrimRight(markdownText(text, s.style), "\n"), "\n")
	short := firstParagraph(text)
	first := strings.Split(strings.TrimRight(markdownText(short, s.style), "\n"), "\n")
	forms := part{form{rows, keepNames}, form{first, keepSummary}}
	for n := len(first) - 1; n >= 3; n-- {
		forms = append(forms, form{s.style.complete("", short, "", 0, n), keepSummary})
	}
	s.add(forms...)
}

// firstParagraph returns the first paragraph of a text. A last sentence that introduces a list is left out. If it is the only one, the
// list follows it.
func firstParagraph(text string) string {
	paragraph, rest, _ := strings.Cut(text, "\n\n")
	paragraph = strings.Join(strings.Fields(paragraph), " ")
	if !strings.HasSuffix(paragraph, ":") {
		return paragraph
	}
	if list := shell.Sentences(paragraph); len(list) > 1 {
		return strings.Join(list[:len(list)-1], " ")
	}
	list, _, _ := strings.Cut(rest, "\n\n")
	var items []string
	for line := range strings.SplitSeq(list, "\n") {
		item, begins := strings.CutPrefix(line, "- ")
		item = strings.TrimSpace(item)
		switch {
		case begins:
			items = append(items, item)
		case len(items) > 0:
			items[len(items)-1] += " " + item
		}
	}
	return paragraph + " " + strings.Join(items, "; ")
}

// checks writes the first check with its command, and those after it while rows are left.
func (s *pageScreen) checks() {
	list := s.p.Confirm
	if len(list) == 0 {
		return
	}
	s.gap()
	for i, c := range list {
		label, keep := "", keepThird
		if i == 0 {
			label, keep = "CHECK", keepCheck
		}
		says := s.p.checkSays(c)
		run := s.style.commandRows(string(c.Run), codeColumns)
		rows := append(s.style.complete(label, says, "", labelColumns, 2), run...)
		if i > 0 {
			s.add(form{rows, keep}, form{})
			continue
		}
		s.add(form{rows, keep}, form{append(s.style.complete(label, says, "", labelColumns, 1), run...), keep}, form{rows: s.style.row(label, says, labelColumns)})
	}
}

// fixes writes the first fix with its commands, and the others with their risk.
func (s *pageScreen) fixes() {
	for i, r := range s.p.Remedies {
		label := fmt.Sprint("  ", i+1)
		if i == 0 {
			s.gap()
			label = "FIX   1"
		}
		risk := " (" + fixSays(&r) + ")"
		title := s.style.complete(label, strings.TrimSuffix(r.Title, "."), risk, labelColumns, 2)
		row := form{rows: s.style.complete(label, strings.TrimSuffix(r.Title, "."), risk, labelColumns, 1), keep: keepTitles}
		with := title
		for _, c := range atPlaces(&r, r.Commands) {
			with = append(with[:len(with):len(with)], s.style.commandRows(string(c), codeColumns)...)
		}
		switch {
		case i == 0:
			s.add(form{with, keepCommands}, form{rows: title})
		case len(r.Commands) > 0:
			s.add(form{with, keepFixes}, form{title, keepNext}, row, form{})
		default:
			s.add(form{title, keepNext}, row, form{})
		}
	}
}

// links names other pages, or counts them.
func (s *pageScreen) links(title string, list []Link, keep int) {
	if len(list) == 0 {
		return
	}
	names := apply(list, func(l Link) string { return l.ID })
	if s.p.Kind == "Symptom" && title == "Possible causes" { // the main content of the page
		all := s.style.block("", fmt.Sprintf("%s (%d): %s", title, len(list), strings.Join(names, ", ")), detailColumns)
		s.add(form{all, keepVerify}, form{s.style.rows("", fmt.Sprintf("%s (%d): %s", title, len(list), wording.First(names, 12)), detailColumns, 4), keepImpact},
			form{rows: s.style.row("", fmt.Sprintf("%s (%d): %s", title, len(list), wording.First(names, 2)), 0)})
		return
	}
	s.add(form{s.style.row("", fmt.Sprintf("%s (%d): %s", title, len(list), wording.First(names, 4)), 0), keep}, form{[]string{fmt.Sprintf("%s: %d", title, len(list))}, keepCounts}, form{})
}

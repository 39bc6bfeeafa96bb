package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/answers/lists"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// Limits of a list on one screen. The wide form shows everything.
const (
	listRows   = 25 // of one table, if it is the only one
	screenRows = 50 // of all tables together, distributed evenly
	leastRows  = 3  // of one table
	listTables = 12
)

// list is an inventory in the form that all formats for people share.
type list struct {
	head   lists.Head
	says   string // a summary in one sentence
	notes  []string
	next   shell.Text // the command that explains the first problem; "": there is none
	facts  []fact     // about the one requested object
	narrow string     // flags that shorten a long list
	tables []grid
}

// fact is a named value.
type fact struct{ name, says string }

// grid is a table. Unusual facts about a row are shown below it.
type grid struct {
	title   string
	says    string // below the title
	columns []column
	most    int  // rows on one screen; 0: listRows
	whole   bool // on one screen, all rows or none
	rows    []gridRow
	alike   []gridRow // shorter rows for one screen, each for several rows; nil: rows are short enough
}

type gridRow struct {
	cells []string
	odd   []string
	brief map[int]string // the short form of a cell, by column: "3 nodes" for their names
}

// writeText writes the terminal form.
func (l list) writeText(w io.Writer, style Style) error {
	s := screen{style: style}
	rest := l.head.Source
	if l.head.TakenAt != nil {
		rest += ", as of " + wording.Instant(*l.head.TakenAt)
	}
	s.line("%s  %s", style.verdict(l.head.Verdict), wording.WrapFrom(rest, len(l.head.Verdict)+2, style.width(), margin))
	s.note(l.says)
	for _, text := range l.notes {
		s.note(text)
	}
	if l.next != "" {
		s.next("Next:", string(l.next))
	}
	for i, f := range l.facts {
		if i == 0 {
			s.line("")
		}
		s.labelled(f.name, f.says)
	}
	l.writeTables(&s)
	for _, text := range l.head.Lacking {
		s.remark("Incomplete: " + text)
	}
	if len(l.head.Ask) > 0 {
		s.remark("To complete the list, save the output of these commands and add it with -f:")
		for _, command := range l.head.Ask {
			s.line("%s%s", margin, style.paint(bold, string(command)))
		}
	}
	_, err := io.WriteString(w, s.String())
	return err
}

func (l list) writeTables(s *screen) {
	tables := l.tables
	if !s.style.Wide {
		tables = fewRows(tables)
	}
	for _, t := range tables {
		s.rows(t)
	}
	if n := len(l.tables) - len(tables); n > 0 {
		s.line("")
		s.more(n, margin, "group", "groups")
	}
	s.leftOut()
	if l.narrow != "" && s.cut {
		s.remark("To shorten the list: " + l.narrow)
	}
}

// fewRows keeps as many rows of each table as fit on one screen together.
func fewRows(tables []grid) []grid {
	rows := 0
	for _, t := range tables {
		rows += min(len(t.rows), listRows)
	}
	if rows <= screenRows {
		return tables
	}
	out := slices.Clone(tables[:min(len(tables), listTables)])
	for i := range out {
		out[i].most = min(cmp.Or(out[i].most, listRows), max(leastRows, screenRows/len(out)))
	}
	return out
}

// grid writes the only table of a page.
func (s *screen) grid(t grid) {
	s.rows(t)
	s.leftOut()
}

func (s *screen) rows(t grid) {
	s.line("")
	if t.title != "" {
		s.line("%s", s.style.paint(bold, wording.Wrap(t.title, s.style.width(), margin)))
	}
	if t.says != "" {
		s.note(t.says)
	}
	rows := t.rows
	if t.alike != nil && !s.style.Wide {
		rows = t.alike
	}
	limit := s.limit(cmp.Or(t.most, listRows), len(rows))
	s.cut = s.cut || limit < len(rows) || len(rows) < len(t.rows)
	l := s.lay(t.columns, rows[:limit], margin)
	for _, line := range l.head(t.columns) {
		s.line("%s", s.style.paint(dim, margin+line))
	}
	for _, r := range rows[:limit] {
		for _, line := range l.row(r) {
			s.line("%s%s", margin, line)
		}
		for _, o := range r.odd {
			s.line("%s%s", margin+"  ", s.style.paint(yellow, wording.Wrap(o, s.style.width(), margin+"    ")))
		}
	}
	s.more(len(rows)-limit, margin, "", "")
}

// writeMarkdown writes the form for a ticket: a list item for each row, because external text in a Markdown table breaks it.
func (l list) writeMarkdown(w io.Writer) error {
	m := markdown{}
	m.line("## %s", mdText(l.says))
	about := mdText(l.head.Source)
	if l.head.TakenAt != nil {
		about += ", as of " + wording.Instant(*l.head.TakenAt)
	}
	m.line("\n%s", about)
	for _, text := range l.notes {
		m.line("\n%s", mdText(text))
	}
	for i, f := range l.facts {
		if i == 0 {
			m.line("")
		}
		m.line("- %s: %s", mdText(f.name), mdText(f.says))
	}
	for _, t := range l.tables {
		m.grid(t)
	}
	for _, text := range l.head.Lacking {
		m.line("\nIncomplete: %s", mdText(text))
	}
	for _, command := range l.head.Ask {
		m.line("\nThe output of this command completes the list: %s", mdCode(string(command)))
	}
	_, err := io.WriteString(w, m.String())
	return err
}

// grid writes the rows of a table as list items.
func (m *markdown) grid(t grid) {
	if t.title != "" {
		m.line("\n### %s", mdText(t.title))
	}
	if t.says != "" {
		m.line("\n%s", mdText(t.says))
	}
	m.line("")
	limit := min(len(t.rows), listRows)
	for _, r := range t.rows[:limit] {
		var parts []string
		for i, c := range r.cells {
			if told(c) {
				parts = append(parts, fmt.Sprintf("%s %s", strings.ToLower(t.columns[i].name), mdCode(c)))
			}
		}
		m.line("- %s", strings.Join(parts, ", "))
		for _, o := range r.odd {
			m.line("  - %s", mdText(o))
		}
	}
	if left := len(t.rows) - limit; left > 0 {
		m.line("\nand %d more", left)
	}
}

// odd counts the unusual rows.
func (t grid) odd() int {
	n := 0
	for _, r := range t.rows {
		if len(r.odd) > 0 {
			n++
		}
	}
	return n
}

// oddFirst moves unusual rows up, so that they are on the first screen.
func (t grid) oddFirst() grid {
	var odd, plain []gridRow
	for _, r := range t.rows {
		if len(r.odd) > 0 {
			odd = append(odd, r)
		} else {
			plain = append(plain, r)
		}
	}
	t.rows = append(odd, plain...)
	return t
}

// found returns the summary of a list: 12 PodDisruptionBudgets, 3 with problems.
func found(h lists.Head, t grid, noun string) string {
	all := wording.Count(len(t.rows), noun)
	switch n := t.odd(); {
	case len(t.rows) == 0 && h.Hidden > 0:
		return noneMatch(h, noun)
	case h.Verdict == triage.Unclear && len(t.rows) == 0:
		return "The evidence has no " + noun + "s."
	case h.Verdict == triage.Unclear && n == 0:
		return all + " in the evidence; there may be more" + hiddenSays(h.Hidden, h.Filters)
	case len(t.rows) == 0:
		return "No " + noun + "s found."
	case n > 0:
		return fmt.Sprintf("%s, %d with problems", all, n) + hiddenSays(h.Hidden, h.Filters)
	}
	return all + ", none with problems" + hiddenSays(h.Hidden, h.Filters)
}

// noneMatch says that filters hide all entries.
func noneMatch(h lists.Head, noun string) string {
	return fmt.Sprintf("No %s matches %s (%d hidden).", noun, strings.Join(h.Filters, " "), h.Hidden)
}

// hiddenSays returns how many entries filters hide, as the end of a sentence.
func hiddenSays(n int, filters []string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %d hidden by %s", n, strings.Join(filters, " "))
}

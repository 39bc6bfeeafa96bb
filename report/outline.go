package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/wording"
)

// outline is the canvas of one screen. It keeps the sections of a page, and leaves out entries of the later and longer ones
// until the page fits.
type outline struct {
	*screen
	head     []string // the title and the notes below it
	sections []*outlineSection
}

// outlineSection is a section and its entries. Rows are drawn already.
type outlineSection struct {
	name    string // of a section that may be named only, at the end of the page
	title   []string
	entries [][]string
	beyond  int // rows of a table that are not among the entries
	// nested: entry was called, so that what follows belongs to it.
	nested bool
	// numbered: the title is that of a finding, which counts its subjects itself.
	numbered bool
	// whole: it has one small table, which is worth as much as the first entry of a list.
	whole bool
}

// drawn returns the rows that a function writes on the screen.
func (o *outline) drawn(write func()) []string {
	o.Reset()
	write()
	rows := strings.Split(strings.Trim(o.String(), "\n"), "\n")
	o.Reset()
	if len(rows) == 1 && rows[0] == "" {
		return nil
	}
	return rows
}

// begin starts a section with this title.
func (o *outline) begin(title []string) *outlineSection {
	s := &outlineSection{title: title}
	o.sections = append(o.sections, s)
	return s
}

// put adds rows: to the head of the page before the first section, as an entry of its section, or to the last entry.
func (o *outline) put(rows []string, entry bool) {
	if len(rows) == 0 {
		return
	}
	if len(o.sections) == 0 {
		o.head = append(o.head, rows...)
		return
	}
	s := o.sections[len(o.sections)-1]
	if last := len(s.entries) - 1; last >= 0 && (s.nested || !entry) {
		s.entries[last] = append(s.entries[last], rows...)
		return
	}
	s.entries = append(s.entries, rows)
}

func (o *outline) title(word, color, rest string) {
	o.put(o.drawn(func() { o.screen.title(word, color, rest) }), true)
}

func (o *outline) note(text string) { o.put(o.drawn(func() { o.screen.note(text) }), true) }

func (o *outline) remark(text string) {
	if len(o.sections) > 0 {
		o.begin(o.drawn(func() { o.screen.remark(text) }))
		return
	}
	o.put(o.drawn(func() { o.screen.remark(text) }), true)
}

// blank ends the head of a page.
func (o *outline) blank() {
	if len(o.sections) == 0 {
		o.begin(nil)
	}
}

func (o *outline) section(name string) {
	o.begin(o.drawn(func() { o.screen.section(name) })).name = name
}

func (o *outline) heading(n int, title string) {
	o.begin(o.drawn(func() { o.screen.heading(n, title) })).numbered = true
}

func (o *outline) entry(name, rest string) {
	rows := o.drawn(func() { o.screen.entry(name, rest) })
	if len(o.sections) == 0 {
		o.put(rows, true)
		return
	}
	s := o.sections[len(o.sections)-1]
	s.entries, s.nested = append(s.entries, rows), true
}

func (o *outline) paragraph(text string) {
	o.put(o.drawn(func() { o.screen.paragraph(text) }), true)
}

func (o *outline) detail(text string) { o.put(o.drawn(func() { o.screen.detail(text) }), false) }

func (o *outline) labelled(name, text string) {
	o.put(o.drawn(func() { o.screen.labelled(name, text) }), true)
}

func (o *outline) judged(j judged) { o.put(o.drawn(func() { o.screen.judged(j) }), true) }

func (o *outline) numbered(n int, text string) {
	o.put(o.drawn(func() { o.screen.numbered(n, text) }), true)
}

func (o *outline) shortened(head, middle, rest string) {
	o.put(o.drawn(func() { o.screen.shortened(head, middle, rest) }), true)
}

func (o *outline) at(when, text string) {
	o.put(o.drawn(func() { o.screen.at(when, text) }), true)
}

func (o *outline) command(text string) { o.put(o.style.commandRows(text, codeColumns), false) }

func (o *outline) left(n int, after depth, one, many string) {
	o.put(o.drawn(func() { o.screen.left(n, after, one, many) }), false)
}

// smallTable is the number of rows of a table that stays whole.
const smallTable = 8

func (o *outline) table(head []string, rows [][]string) {
	drawn := o.drawn(func() { o.screen.table(head, rows) })
	whole := 2
	if len(rows) <= smallTable {
		whole = len(drawn)
	}
	o.put(drawn[:min(len(drawn), whole)], true)
	if n := len(o.sections); n > 0 && len(rows) <= smallTable {
		o.sections[n-1].whole = true
	}
	for _, row := range drawn[min(len(drawn), whole):] {
		o.put([]string{row}, true)
	}
}

// grid is a section. A row that is indented deeper belongs to the row above it.
func (o *outline) grid(t grid) {
	drawn := o.drawn(func() { o.screen.grid(t) })
	from := 1 + slices.IndexFunc(drawn, func(row string) bool { return strings.Contains(row, t.columns[0].name) })
	o.begin(drawn[:from]).whole = t.whole
	s := o.sections[len(o.sections)-1]
	s.name = t.title
	shown := len(t.rows)
	if t.most > 0 && t.most < shown {
		shown, s.beyond = t.most, shown-t.most
	}
	for i, row := range drawn[from:] { // below the last row stand remarks about the table
		o.put([]string{row}, !strings.HasPrefix(row, margin+" ") && (i == 0 || !t.whole) && len(s.entries) < shown)
	}
}

// write writes the page in at most this number of rows. Sections without a row are named at its end.
func (o *outline) write(w io.Writer) error {
	parts := []part{{form{rows: o.head}}}
	of := map[int]*outlineSection{} // by part
	for i, s := range o.sections {
		if i > 0 || len(o.head) > 1 {
			parts = append(parts, part{form{[]string{""}, worth(i, 64)}, form{}})
		}
		of[len(parts)] = s
		parts = append(parts, s.forms(i, o.style))
	}
	whole, limit := 0, o.style.height()
	for _, p := range parts {
		whole += rowsOn(p[0].rows, o.style.width())
	}
	if whole <= limit {
		_, err := io.WriteString(w, strings.Join(fitParts(parts, limit, o.style.width()), "\n")+"\n")
		return err
	}
	chosen := chooseForms(parts, limit-1, o.style.width())
	var hidden []string
	for i, p := range chosen {
		if s := of[i]; s != nil && len(p[0].rows) == 0 {
			hidden = append(hidden, s.inShort())
			chosen[i-1] = part{form{}} // the blank row before it
		}
	}
	rows := append(cutRows(chosen, limit-1, o.style.width()), o.style.row("", o.more(slices.DeleteFunc(hidden, func(name string) bool { return name == "" })), 0)...)
	_, err := io.WriteString(w, strings.Join(rows, "\n")+"\n")
	return err
}

// more says how to see the hidden sections: it names as many as a row has room for.
func (o *outline) more(hidden []string) string {
	const end = "More: -o wide"
	for n := len(hidden); n > 0; n-- {
		if out := end + " (" + wording.First(hidden, n) + ")"; wording.Columns(out) <= o.style.width() {
			return out
		}
	}
	return end
}

// inShort names a section without a row, and counts its entries.
func (s *outlineSection) inShort() string {
	name := strings.ToLower(s.name)
	if len(s.entries) < 2 || name == "" {
		return name
	}
	return fmt.Sprintf("%d %s", len(s.entries), name)
}

// worth returns how much the n-th entry of a section is worth: less in a later section and further down in a list.
func worth(section, n int) int { return 1_000_000 / ((section + 1) * (section + 1) * n) }

// shares are the sections whose entries are worth more or less than their place on the page, in percent: what has to be done
// stays, and what only explains gives way.
var shares = map[string]int{
	"Requires manual action": 1000, "Before the upgrade": 1000,
	"What has happened": 2, "Pods": 2, "Assumed": 2, "Assumptions": 2, "Steps": 2, stepsWithRoom: 2, "Stays": 2, "Passed": 2, "Not checked": 2,
}

// share returns the share of this section.
func (s *outlineSection) share() int {
	if share := shares[s.name]; share > 0 {
		return share
	}
	return 100
}

// titleWorth is what the title of a finding is worth: less than the second entry of the first section, which is its fix, and more
// than the third.
const titleWorth = 400_000

// forms returns the section with all entries, with fewer, and without any. Of the first section at least one entry stays, and
// of a finding its title.
func (s *outlineSection) forms(section int, style Style) part {
	first := len(s.entries) + 1
	if s.whole && len(s.entries) == 1 {
		first = 1
	}
	worth := func(n int) int { return worth(section, n) * s.share() / 100 }
	out := part{form{append(slices.Clone(s.title), slices.Concat(s.entries...)...), worth(first)}}
	for n := len(s.entries) - 1; n > 0; n-- {
		if rowsOn(slices.Concat(s.entries[n:]...), style.width()) < 2 {
			continue // the row that counts it is as long as the row that it hides
		}
		rows := append(slices.Clone(s.title), slices.Concat(s.entries[:n]...)...)
		out = append(out, form{append(rows, margin+style.paint(dim, fmt.Sprintf("... %d more (-o wide)", len(s.entries)-n+s.beyond))), worth(n)})
	}
	switch {
	case section == 0 || len(s.entries) == 0 || len(s.title) == 0:
		return out
	case s.numbered:
		title := slices.Clone(s.title)
		title[len(title)-1] += style.paint(dim, " (-o wide)")
		out = append(out, form{rows: title, keep: titleWorth - section})
	}
	return append(out, form{})
}

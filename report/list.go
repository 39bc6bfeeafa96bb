package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/nodetriage/nodetriage/answers/lists"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// How much of a list one screen shows; the wide form shows all.
const (
	listRows   = 25 // of one table, where it is the only one
	screenRows = 50 // of all tables together, the same of each
	leastRows  = 3  // of one table
	listTables = 12
)

// list is an inventory as every form for people shows it.
type list struct {
	head   lists.Head
	says   string // what there is, in one sentence
	notes  []string
	facts  []fact // about the one thing that was asked for
	narrow string // flags that leave less of a long list
	tables []grid
}

// fact is what something is, by name.
type fact struct{ name, says string }

// grid is rows of the same columns, with what is odd about each below it.
type grid struct {
	title string
	says  string // below the title
	names []string
	wide  int // so many columns at the end are for the wide form alone
	most  int // rows that one screen shows; 0: listRows
	rows  []gridRow
	alike []gridRow // shorter, for one screen: each stands for several rows; nil: rows are short enough
}

type gridRow struct {
	cells []string
	odd   []string
	brief map[int]string // what a cell says where it does not fit, by its column: how many a list has
}

// writeText writes the terminal form.
func (l list) writeText(w io.Writer, style Style) error {
	s := screen{style: style}
	rest := l.head.Source
	if l.head.TakenAt != nil {
		rest += ", as of " + wording.Instant(*l.head.TakenAt)
	}
	s.line("%s  %s", style.verdict(l.head.Verdict), wording.WrapFrom(rest, len(l.head.Verdict)+2, style.width(), margin))
	s.line("%s%s", margin, wording.Wrap(l.says, style.width(), margin))
	for _, text := range l.notes {
		s.line("%s%s", margin, wording.Wrap(text, style.width(), margin))
	}
	for i, f := range l.facts {
		if i == 0 {
			s.line("")
		}
		s.labelled(f.name, f.says)
	}
	tables := l.tables
	if !style.Wide {
		tables = fewRows(tables)
	}
	for _, t := range tables {
		s.grid(t)
	}
	if n := len(l.tables) - len(tables); n > 0 {
		s.line("")
		s.more(n, margin, "group", "groups")
	}
	if l.narrow != "" && s.cut {
		s.line("\n%s", wording.Wrap("For less: "+l.narrow, style.width(), margin))
	}
	for _, text := range l.head.Lacking {
		s.line("\n%s", wording.Wrap("Not a whole list: "+text, style.width(), margin))
	}
	if len(l.head.Ask) > 0 {
		s.line("\n%s", wording.Wrap("For the rest, save what these print and give it with -f as well:", style.width(), margin))
		for _, command := range l.head.Ask {
			s.line("%s%s", margin, style.paint(bold, string(command)))
		}
	}
	_, err := io.WriteString(w, s.String())
	return err
}

// fewRows leaves of each table as many rows as fit on one screen together.
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

func (s *screen) grid(t grid) {
	s.line("")
	if t.title != "" {
		s.line("%s", s.style.paint(bold, wording.Wrap(t.title, s.style.width(), margin)))
	}
	if t.says != "" {
		s.line("%s%s", margin, wording.Wrap(t.says, s.style.width(), margin))
	}
	shown := len(t.names)
	if !s.style.Wide {
		shown -= t.wide
	}
	rows := t.rows
	if t.alike != nil && !s.style.Wide {
		rows = t.alike
	}
	limit := s.limit(cmp.Or(t.most, listRows), len(rows))
	s.cut = s.cut || limit < len(rows) || len(rows) < len(t.rows)
	widths := s.widths(t.names, rows[:limit], shown)
	s.line("%s", s.style.paint(dim, margin+cells(t.names, nil, widths)))
	for _, r := range rows[:limit] {
		s.line("%s%s", margin, cells(r.cells, r.brief, widths))
		for _, o := range r.odd {
			s.line("%s%s", margin+"  ", s.style.paint(yellow, wording.Wrap(o, s.style.width(), margin+"    ")))
		}
	}
	s.more(len(rows)-limit, margin, "", "")
}

// leastWidth is how narrow a column may become, and shortValue what is only cut where nothing else is left to cut.
const (
	leastWidth = 8
	shortValue = 12
)

// widths fits the columns into the width: what is too wide is taken from the widest, as long as names of the first, when cut,
// can be told apart. Short values are cut last.
func (s *screen) widths(names []string, rows []gridRow, shown int) []int {
	out := make([]int, shown)
	for i := range out {
		out[i] = wording.Columns(names[i])
		for _, r := range rows {
			out[i] = max(out[i], wording.Columns(r.cells[i]))
		}
	}
	if s.style.Wide {
		return out
	}
	least := make([]int, shown)
	for i := range least {
		least[i] = min(out[i], shortValue)
		for _, r := range rows {
			if brief, ok := r.brief[i]; ok {
				least[i] = max(leastWidth, wording.Columns(brief))
			}
		}
	}
	least[0] = toldApart(rows, out[0])
	out = s.narrowed(out, least)
	for i := 1; i < shown; i++ {
		least[i] = min(least[i], leastWidth)
	}
	return s.narrowed(out, least)
}

// narrowed takes from the widest columns what is too much for the width, down to their least.
func (s *screen) narrowed(out, least []int) []int {
	for {
		sum, widest := len(margin)-2, -1
		for i, n := range out {
			sum += n + 2
			if n > least[i] && (widest < 0 || n > out[widest]) {
				widest = i
			}
		}
		if sum <= s.style.width() || widest < 0 {
			return out
		}
		out[widest] -= min(sum-s.style.width(), out[widest]-least[widest])
	}
}

// toldApart is the least width at which names of the first column differ when they are cut.
func toldApart(rows []gridRow, whole int) int {
	for n := leastWidth; n < whole; n++ {
		of := map[string]string{}
		if !slices.ContainsFunc(rows, func(r gridRow) bool {
			cut := shortenMiddle(r.cells[0], n)
			other, taken := of[cut]
			of[cut] = r.cells[0]
			return taken && other != r.cells[0]
		}) {
			return n
		}
	}
	return whole
}

func cells(texts []string, brief map[int]string, widths []int) string {
	var b strings.Builder
	for i, n := range widths {
		text := texts[i]
		if short, ok := brief[i]; ok && utf8.RuneCountInString(text) > n {
			text = short
		}
		if utf8.RuneCountInString(text) > n {
			text = shortenMiddle(text, n)
		}
		b.WriteString(text + strings.Repeat(" ", max(n-wording.Columns(text), 0)+2))
	}
	return strings.TrimRight(b.String(), " ")
}

// writeMarkdown writes the form for a ticket: a list item for each row, since outside text in a Markdown table breaks it.
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
		m.line("\nNot a whole list: %s", mdText(text))
	}
	for _, command := range l.head.Ask {
		m.line("\nWhat it prints completes the list: %s", mdCode(string(command)))
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
			if c != "" && c != "-" {
				parts = append(parts, fmt.Sprintf("%s %s", strings.ToLower(t.names[i]), mdCode(c)))
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

// odd counts the rows with something odd.
func (t grid) odd() int {
	n := 0
	for _, r := range t.rows {
		if len(r.odd) > 0 {
			n++
		}
	}
	return n
}

// oddFirst moves rows with something odd up, so that one screen has them.
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

// found is how a list says what there is: 12 budgets, 3 of them odd.
func found(h lists.Head, t grid, noun string) string {
	switch n := t.odd(); {
	case h.Verdict == triage.Unclear && len(t.rows) == 0:
		return "The evidence has no " + noun + "s."
	case h.Verdict == triage.Unclear && t.odd() == 0:
		return wording.Count(len(t.rows), noun) + " in the evidence, and there may be more"
	case len(t.rows) == 0:
		return "There are no " + noun + "s, or none that was asked for."
	case n > 0:
		return fmt.Sprintf("%s, %d odd", wording.Count(len(t.rows), noun), n)
	}
	return wording.Count(len(t.rows), noun) + ", none odd"
}

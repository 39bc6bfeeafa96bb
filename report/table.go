package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/wording"
)

// column is a column of a table.
type column struct {
	name string
	// rank is the importance of the column. Columns with rank 0 are always shown. The others are added in the order of their
	// ranks, each if it still fits; columns without any value come last.
	rank int
}

// always is the rank of columns that are never left out.
const always = 0

const (
	gap        = 2  // between columns
	foldIndent = 2  // of the second line of a row
	leastLead  = 24 // width that a folded table keeps for the first column before it shows more columns
)

// layout is how a table fits the terminal. No cell is ever cut: a column is left out, or a row continues on a second line.
type layout struct {
	lines   [][]int // columns by line; a row that fits is one line
	widths  []int   // by column
	brief   []bool  // by column: its cells are shown in their short form
	offset  int     // column at which the second line of a row starts
	dropped []string
}

// lay fits a table into this width. wide shows everything.
func lay(columns []column, rows []gridRow, width int, wide bool) layout {
	l := layout{widths: make([]int, len(columns)), brief: make([]bool, len(columns))}
	every := make([]int, len(columns))
	for i := range every {
		every[i] = i
	}
	if wide {
		l.measure(columns, rows)
		l.lines = [][]int{every}
		return l
	}
	for i := range l.brief {
		l.brief[i] = true
	}
	l.measure(columns, rows)
	byRank := slices.Clone(every)
	slices.SortStableFunc(byRank, func(a, b int) int {
		return cmp.Or(compareBool(empty(columns, rows, a), empty(columns, rows, b)), cmp.Compare(columns[a].rank, columns[b].rank))
	})
	shown := l.fitting(columns, byRank, every, width)
	if shown != nil {
		l.lines = [][]int{shown}
	} else {
		shown = l.fold(columns, byRank, every[1:], width)
	}
	for _, i := range every {
		if !slices.Contains(shown, i) {
			l.dropped = append(l.dropped, columns[i].name)
		}
	}
	l.lengthen(columns, rows, byRank, width)
	return l
}

// lay fits a table into the rest of the lines after a prefix.
func (s *screen) lay(columns []column, rows []gridRow, prefix string) layout {
	l := lay(columns, rows, s.style.columns()-len(prefix), s.style.Wide)
	for _, name := range l.dropped {
		if !slices.Contains(s.omitted, name) {
			s.omitted = append(s.omitted, name)
		}
	}
	return l
}

// leftOut reports the columns that did not fit, and how to see them.
func (s *screen) leftOut() {
	if n := len(s.omitted); n > 0 {
		s.line("\n%s", s.style.paint(dim, wording.Wrap(fmt.Sprintf("%s hidden: %s (use -o wide)", wording.Count(n, "column"), strings.Join(s.omitted, ", ")), s.style.width(), margin)))
	}
}

// empty reports whether a column that may be left out has no value in any row.
func empty(columns []column, rows []gridRow, i int) bool {
	return columns[i].rank != always && !slices.ContainsFunc(rows, func(r gridRow) bool { return r.cells[i] != "-" })
}

// compareBool puts false first.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// measure sets the width of each column.
func (l *layout) measure(columns []column, rows []gridRow) {
	for i, c := range columns {
		l.widths[i] = wording.Columns(c.name)
		for _, r := range rows {
			l.widths[i] = max(l.widths[i], wording.Columns(r.cell(i, l.brief[i])))
		}
	}
}

// fitting returns the columns of these that fit next to each other, in order: those that are always shown, then as many as fit
// by rank. nil: not even the first ones fit.
func (l *layout) fitting(columns []column, byRank, of []int, width int) []int {
	var out []int
	sum := -gap
	for _, i := range byRank {
		need := gap + l.widths[i]
		switch {
		case !slices.Contains(of, i):
		case sum+need <= width:
			out = append(out, i)
			sum += need
		case columns[i].rank == always:
			return nil
		}
	}
	slices.Sort(out)
	return out
}

// fold puts the first column on a separate line, and the others below it. It returns the shown columns.
func (l *layout) fold(columns []column, byRank, rest []int, width int) []int {
	shown := l.fitting(columns, byRank, rest, width-leastLead)
	if shown == nil {
		shown = l.fitting(columns, byRank, rest, width-foldIndent)
	}
	if shown != nil {
		l.lines = [][]int{{0}, shown}
		l.offset = width - l.sum(shown)
		return append([]int{0}, shown...)
	}
	shown, l.offset = []int{0}, foldIndent
	l.lines = [][]int{{0}}
	for _, i := range rest {
		if columns[i].rank != always {
			continue
		}
		last := len(l.lines) - 1
		if last > 0 && l.sum(l.lines[last])+gap+l.widths[i] <= width-foldIndent {
			l.lines[last] = append(l.lines[last], i)
		} else {
			l.lines = append(l.lines, []int{i})
		}
		shown = append(shown, i)
	}
	return shown
}

// sum returns the width of these columns next to each other.
func (l *layout) sum(of []int) int {
	out := -gap
	for _, i := range of {
		out += gap + l.widths[i]
	}
	return out
}

// lengthen shows cells of a table with one line in their long form, the most important column first, if there is enough space.
func (l *layout) lengthen(columns []column, rows []gridRow, byRank []int, width int) {
	if len(l.lines) > 1 {
		return
	}
	for _, i := range byRank {
		if !slices.Contains(l.lines[0], i) {
			continue
		}
		before := l.widths[i]
		l.brief[i] = false
		l.measure(columns, rows)
		if l.sum(l.lines[0]) > width {
			l.brief[i], l.widths[i] = true, before
		}
	}
}

// head returns the lines of the header.
func (l *layout) head(columns []column) []string {
	return l.row(gridRow{cells: apply(columns, func(c column) string { return c.name })})
}

// row returns the lines of a row.
func (l *layout) row(r gridRow) []string {
	out := []string{l.line(r, l.lines[0])}
	for _, columns := range l.lines[1:] {
		text := l.line(r, columns)
		used := wording.Columns(out[0])
		if len(l.lines) == 2 && used+gap <= l.offset { // the first cell is short, and the rest fits next to it
			return []string{out[0] + strings.Repeat(" ", l.offset-used) + text}
		}
		out = append(out, strings.Repeat(" ", l.offset)+text)
	}
	return out
}

func (l *layout) line(r gridRow, columns []int) string {
	var b strings.Builder
	for _, i := range columns {
		text := r.cell(i, l.brief[i])
		b.WriteString(text + strings.Repeat(" ", max(l.widths[i]-wording.Columns(text), 0)+gap))
	}
	return strings.TrimRight(b.String(), " ")
}

// cell returns a cell in its long or short form.
func (r gridRow) cell(i int, brief bool) string {
	if short, ok := r.brief[i]; ok && brief {
		return short
	}
	return r.cells[i]
}

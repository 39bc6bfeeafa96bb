package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/nodetriage/nodetriage/wording"
)

// The columns of every terminal page: a margin, then labels, then text.
const (
	margin = "   "
	label  = 10

	judgedColumn = 12
	resultColumn = 10 // of a step
	stepColumn   = 12
	tookColumn   = 6
	whenColumn   = 24
	whenNarrow   = 16 // on one screen
)

// screen collects a terminal page.
type screen struct {
	strings.Builder
	style Style
	cut   bool // rows of a table were left out

	omitted []string // columns that were left out, in order
}

func (s *screen) line(format string, args ...any) { fmt.Fprintf(s, format+"\n", args...) }

func (s *screen) title(word, color, rest string) {
	code := bold
	if color != "" {
		code += ";" + color
	}
	s.line("%s  %s", s.style.paint(code, word), wording.WrapFrom(rest, wording.Columns(word)+2, s.style.width(), margin))
}

func (s *screen) note(text string) {
	s.line("%s%s", margin, wording.Wrap(text, s.style.width(), margin))
}

func (s *screen) blank() { s.line("") }

func (s *screen) entry(name, rest string) {
	s.line("%s%s", margin, wording.Wrap(s.style.paint(bold, name)+" "+rest, s.style.width(), margin))
}

func (s *screen) wide() bool { return s.style.Wide }

// section starts a new part of the page.
func (s *screen) section(title string) { s.line("\n%s", s.style.paint(bold, title)) }

// paragraph writes a text after the margin with a hanging indent.
func (s *screen) paragraph(body string) {
	s.line("%s%s", margin, wording.Wrap(body, s.style.width(), margin+"  "))
}

// detail adds to the paragraph above it.
func (s *screen) detail(text string) {
	s.line("%s  %s", margin, wording.Wrap(text, s.style.width(), margin+"    "))
}

// judged writes a text after a coloured word, and after the step that it judges.
func (s *screen) judged(j judged) {
	width := judgedColumn
	if j.name != "" {
		width = resultColumn
	}
	indent := margin + strings.Repeat(" ", width)
	s.WriteString(margin + s.style.paint(j.color, fmt.Sprintf("%-*s", width, j.word)))
	if j.name != "" {
		step := fmt.Sprintf("%-*s %-*s ", stepColumn-1, j.name, tookColumn-1, j.took)
		s.WriteString(step)
		indent += strings.Repeat(" ", len(step))
	}
	s.line("%s", wording.Wrap(j.text, s.style.width(), indent))
}

func (s *screen) numbered(n int, text string) {
	s.line("%-2d %s", n, wording.Wrap(text, s.style.width(), margin+"  "))
}

func (s *screen) heading(n int, title string) {
	s.line("\n%-2d %s", n, s.style.paint(bold, wording.Wrap(title, s.style.width(), margin)))
}

func (s *screen) remark(text string) { s.line("\n%s", wording.Wrap(text, s.style.width(), margin)) }

func (s *screen) shortened(head, middle, rest string) {
	s.line("%s%s", margin, s.twoRows(head, middle, rest))
}

func (s *screen) excerpt() int {
	if s.style.Wide {
		return longest
	}
	return 3*s.style.width() - 12
}

// at writes a text after its time.
func (s *screen) at(when, text string) {
	column := whenColumn
	if !s.style.Wide {
		column = whenNarrow
	}
	indent := margin + strings.Repeat(" ", column)
	if len(when) >= column {
		when += "  "
	}
	s.line("%s%-*s%s", margin, column, when, wording.WrapFrom(text, max(len(indent), len(margin)+len(when)), s.style.width(), indent))
}

// table writes rows of columns that are as wide as their contents.
func (s *screen) table(head []string, rows [][]string) {
	widths := make([]int, len(head))
	for _, row := range append([][]string{head}, rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], wording.Columns(cell)+2)
		}
	}
	row := func(cells []string) string {
		var b strings.Builder
		for i, cell := range cells {
			b.WriteString(cell + strings.Repeat(" ", widths[i]-wording.Columns(cell)))
		}
		return strings.TrimRight(b.String(), " ")
	}
	s.line("%s%s", margin, s.style.paint(dim, row(head)))
	for _, cells := range rows {
		s.line("%s%s", margin, row(cells))
	}
}

// labelled writes a paragraph whose first line starts with a label.
func (s *screen) labelled(name, body string) {
	indent := margin + strings.Repeat(" ", label)
	s.line("%s%s%s", margin, s.style.paint(dim, fmt.Sprintf("%-*s", label, name)), wording.Wrap(body, s.style.width(), indent))
}

// command writes a line that can be copied, so it is never wrapped.
func (s *screen) command(text string) {
	s.line("%s%s%s", margin, strings.Repeat(" ", label+3), s.style.paint(bold, s.style.onEvidence(text)))
}

// next writes a command that continues an answer, in rows that can be copied.
func (s *screen) next(label, command string) {
	s.note(label)
	for _, row := range s.style.commandRows(command, codeColumns) {
		s.line("%s", row)
	}
}

// limit returns how many of all items are shown.
func (s *screen) limit(few, all int) int {
	if s.style.Wide {
		return all
	}
	return min(few, all)
}

// more reports what was omitted, with the indent of the list.
func (s *screen) more(n int, indent, one, many string) {
	if n > 0 {
		what := strings.TrimRight(tail(n, one, many), " ")
		s.line("%s%s", indent, s.style.paint(dim, "... "+what+" (-o wide)"))
	}
}

func (s *screen) left(n int, after depth, one, many string) {
	s.more(n, [...]string{paragraphs: margin, labels: indented(), belowLabels: indented() + margin}[after], one, many)
}

func indented() string { return margin + strings.Repeat(" ", label) }

// twoRows writes three parts of a sentence after the margin. If they need more than two rows, the middle part is shortened,
// except in the wide form.
func (s *screen) twoRows(head, middle, rest string) string {
	const least = 24
	for n := utf8.RuneCountInString(middle); ; n -= 4 {
		out := wording.WrapFrom(head+shorten(middle, n)+rest, len(margin), s.style.width(), margin+"  ")
		if n <= least || s.style.Wide || strings.Count(out, "\n") < 2 {
			return out
		}
	}
}

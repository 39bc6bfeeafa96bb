package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/nodetriage/nodetriage/wording"
)

// The columns of every terminal page: a margin, then labels, then what they say.
const (
	margin = "   "
	label  = 10
)

// screen collects a terminal page.
type screen struct {
	strings.Builder
	style     Style
	shortened bool // a table was not shown whole
}

func (s *screen) line(format string, args ...any) { fmt.Fprintf(s, format+"\n", args...) }

// section starts a new part of the page.
func (s *screen) section(title string) { s.line("\n%s", s.style.paint(bold, title)) }

// paragraph writes a text with hanging indent behind the margin.
func (s *screen) paragraph(body string) {
	s.line("%s%s", margin, wrap(body, s.style.width(), margin+"  "))
}

// labelled writes a paragraph whose first line starts with a label.
func (s *screen) labelled(name, body string) {
	indent := margin + strings.Repeat(" ", label)
	s.line("%s%s%s", margin, s.style.paint(dim, fmt.Sprintf("%-*s", label, name)), wrap(body, s.style.width(), indent))
}

// command writes a line that can be copied: it is never broken.
func (s *screen) command(text string) {
	s.line("%s%s%s", margin, strings.Repeat(" ", label+3), s.style.paint(bold, text))
}

// limit is how many of all items are shown.
func (s *screen) limit(few, all int) int {
	if s.style.Wide {
		return all
	}
	return min(few, all)
}

// more says what was left out. The indent is that of what was listed.
func (s *screen) more(n int, indent, one, many string) {
	if n > 0 {
		what := strings.TrimRight(wording.Counted(n, "more "+one, "more "+many), " ")
		s.line("%s%s", indent, s.style.paint(dim, "... "+what+" (-o wide)"))
	}
}

func indented() string { return margin + strings.Repeat(" ", label) }

// twoRows writes three parts of a sentence behind the margin. Where they need more than two rows, the one in the middle is
// shortened, except in the wide form.
func (s *screen) twoRows(head, middle, rest string) string {
	const least = 24
	for n := utf8.RuneCountInString(middle); ; n -= 4 {
		out := wrapFrom(head+shorten(middle, n)+rest, len(margin), s.style.width(), margin+"  ")
		if n <= least || s.style.Wide || strings.Count(out, "\n") < 2 {
			return out
		}
	}
}

package wording

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// Wrap breaks text at spaces so that lines have at most width columns, and indents each line after the first. Longer
// words, such as paths, stay whole so that users can copy them. Libraries also break at hyphens, which splits flags.
func Wrap(text string, width int, indent string) string {
	return WrapFrom(text, len(indent), width, indent)
}

// WrapFrom is Wrap for a text that starts at the given column.
func WrapFrom(text string, column, width int, indent string) string {
	var b strings.Builder
	for i, word := range strings.Fields(text) {
		n := Columns(word)
		switch {
		case i == 0:
		case column+1+n > width:
			b.WriteString("\n" + indent)
			column = len(indent)
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String()
}

// Columns returns the width of a text on a terminal. East Asian wide characters take two columns, colours none.
func Columns(s string) int {
	n := 0
	paint := false
	for _, r := range s {
		switch {
		case r == '\x1b': // only colours of this program; others are removed
			paint = true
		case paint:
			paint = r != 'm'
		case r < 0x300:
			n++
		case unicode.In(r, unicode.Mn, unicode.Me): // combine with the previous letter
		case wide(r):
			n += 2
		default:
			n++
		}
	}
	return n
}

// wide reports whether terminals give the rune two columns.
func wide(r rune) bool {
	kind := width.LookupRune(r).Kind()
	return kind == width.EastAsianWide || kind == width.EastAsianFullwidth
}

// Rows returns how many rows of a terminal a line takes. The terminal breaks longer lines.
func Rows(line string, columns int) int {
	columns = max(columns, 1)
	return max(1, (Columns(strings.TrimRight(line, "\n"))+columns-1)/columns)
}

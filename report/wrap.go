package report

import (
	"strings"
	"unicode"
)

// wrap breaks text at spaces to the width, each line after the first with the indent. Words that are longer
// than the width, such as paths, are left whole so that they can be copied.
func wrap(text string, width int, indent string) string {
	return wrapFrom(text, len(indent), width, indent)
}

// wrapFrom is wrap for a text that starts at the given column.
func wrapFrom(text string, column, width int, indent string) string {
	var b strings.Builder
	for i, word := range strings.Fields(text) {
		n := columns(word)
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

// columns is the width of a text on a terminal: letters of East Asian scripts take two columns, colours none.
func columns(s string) int {
	n := 0
	paint := false
	for _, r := range s {
		switch {
		case r == '\x1b': // our own colours: texts from outside have none left
			paint = true
		case paint:
			paint = r != 'm'
		case r < 0x300:
			n++
		case unicode.In(r, unicode.Mn, unicode.Me):
		case isWide(r):
			n += 2
		default:
			n++
		}
	}
	return n
}

// isWide reports whether a terminal shows the character in two columns: scripts of East Asia, full-width forms and pictures.
func isWide(r rune) bool {
	switch {
	case r >= 0xff01 && r <= 0xff60, r >= 0x1f300 && r <= 0x1faff:
		return true
	}
	return unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana)
}

// fit cuts or pads a text to exactly n columns. A name is cut in its middle: names of a kind differ at their ends.
func fit(s string, n int) string {
	if columns(s) > n && n >= leastWidth && !strings.Contains(s, " ") {
		s = shortenMiddle(s, n)
	}
	if columns(s) > n {
		cut := []rune(s)
		for len(cut) > 0 && columns(string(cut)) > n-2 {
			cut = cut[:len(cut)-1]
		}
		s = string(cut) + ".."
	}
	return s + strings.Repeat(" ", max(n-columns(s), 0))
}

// breakLines breaks a text into at most n lines of the width; the last one marks what was cut.
func breakLines(text string, width, n int) []string {
	lines := strings.Split(wrap(text, width, ""), "\n")
	if len(lines) > n {
		lines = append(lines[:n-1], strings.Join(lines[n-1:], " "))
	}
	for i := range lines {
		lines[i] = shorten(lines[i], width+2)
	}
	return lines
}

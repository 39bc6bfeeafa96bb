package wording

import (
	"strings"
	"unicode"
)

// Wrap breaks text at spaces so that lines have at most width columns, and starts each line after the first with the indent.
// Words that are longer than the width, such as paths, stay whole so that they can be copied: libraries that wrap text break at
// hyphens too, and so inside of flags.
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

// Columns returns the width of a text on a terminal. Letters of East Asian scripts take two columns, colours none.
func Columns(s string) int {
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
		case unicode.In(r, unicode.Mn, unicode.Me): // they combine with the letter before
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
	forms, emoji := r >= 0xff01 && r <= 0xff60, r >= 0x1f300 && r <= 0x1faff
	return forms || emoji || unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana)
}

package collect

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// border is what programs of terminals and Terraform draw at the sides of a text.
var border = []byte("│")

// leastBox is how wide a box is at the least that broke a line at its border, in characters.
const leastBox = 60

// withoutBoxes reads a text that a program showed within borders as it was before: without the borders, and with the lines joined that
// the box broke at its width. Empty lines stand where the rests stood, so that all lines keep their numbers.
func withoutBoxes(r io.Reader) io.Reader {
	rests := 0 // of the line that is open
	look := func(text []byte) bool { return rests > 0 || bytes.Contains(text, border) }
	return newLineFilter(r, look, func(line []byte) []byte {
		says, boxed, full := inBox(bytes.TrimRight(line, "\r\n"))
		var out []byte
		if ended := !boxed || stampedHead.Match(says); ended { // the line that was open was whole
			out, rests = bytes.Repeat([]byte{'\n'}, rests), 0
		}
		switch {
		case !boxed:
			return append(out, line...)
		case full:
			rests++
			return append(out, says...)
		}
		out = append(append(out, says...), lineEnd(line)...)
		out, rests = append(out, bytes.Repeat([]byte{'\n'}, rests)...), 0
		return out
	})
}

// inBox is what a line within borders says, and whether it goes on to the right border, so that the box may have broken it there. A
// border may be on the left alone. What begins with another stroke is a tree or a table.
func inBox(line []byte) (says []byte, boxed, full bool) {
	rest, boxed := bytes.CutPrefix(bytes.TrimLeft(line, " "), border)
	if first, _ := utf8.DecodeRune(bytes.TrimLeft(rest, " ")); !boxed || first >= '\u2500' && first <= '\u257f' {
		return nil, false, false
	}
	inner, right := bytes.CutSuffix(bytes.TrimRight(bytes.TrimPrefix(rest, []byte(" ")), " "), border)
	if bytes.Contains(inner, border) {
		return nil, false, false
	}
	says = bytes.TrimRight(inner, " ")
	broken := right && len(inner)-len(says) <= 1 && utf8.RuneCount(says) >= leastBox
	return says, true, broken
}

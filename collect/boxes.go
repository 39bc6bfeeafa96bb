package collect

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// border is what terminal programs and Terraform draw at the sides of a text.
var border = []byte("│")

// leastBox is the minimum width of a box that wraps lines at its border, in characters.
const leastBox = 60

// withoutBoxes removes the borders around a text and joins the lines that the box wrapped. Empty lines replace the joined parts,
// so that all lines keep their numbers.
func withoutBoxes(r io.Reader) io.Reader {
	rests := 0 // of the open line
	look := func(text []byte) bool { return rests > 0 || bytes.Contains(text, border) }
	return newLineFilter(r, look, func(line []byte) []byte {
		says, boxed, full := inBox(bytes.TrimRight(line, "\r\n"))
		var out []byte
		if ended := !boxed || stampedHead.Match(says); ended { // the open line was complete
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

// inBox returns the text of a line within borders, and whether it reaches the right border, so that the box may have wrapped it. A
// border may be on the left alone. A line that starts with another stroke is a tree or a table.
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

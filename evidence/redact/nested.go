package redact

import "strings"

// lineBreak is an escaped line break, at any escape depth.
const lineBreak = `\n`

// nested redacts multi-line secrets in an escaped text inside a line: a Secret in a message.
func (l *Lines) nested(s string, out []span) []span {
	if l.within || !strings.Contains(s, lineBreak) {
		return out
	}
	sep, quote := breakOf(s)
	inner := Lines{redactor: l.redactor, decoding: l.decoding, within: true}
	for from := 0; from < len(s); {
		end, next := len(s), len(s)
		if i := strings.Index(s[from:], sep); i >= 0 {
			end, next = from+i, from+i+len(sep)
		} else if i := closing(s[from:], quote); i >= 0 && from > 0 {
			end = from + i // of the text; the rest belongs to the line
		}
		piece := strings.TrimRight(s[from:end], `\`)
		piece = strings.TrimRight(strings.TrimSuffix(piece, `\r`), `\`)
		for _, p := range inner.spans(piece) {
			out = append(out, span{from + p.lo, from + p.hi, p.kind})
		}
		from = next
	}
	return out
}

// breakOf returns the escape of the first line break, and the quote that ends the text.
func breakOf(s string) (sep, quote string) {
	at := strings.Index(s, lineBreak)
	n := 1 + escapesBefore(s, 0, at)
	return s[at+1-n : at+2], s[at+1-n : at][:n-1] + `"`
}

// closing returns the first position of the quote with the same escape depth, or -1.
func closing(s, quote string) int {
	for from := 0; ; {
		i := strings.Index(s[from:], quote)
		if i < 0 {
			return -1
		}
		if i += from; i == 0 || s[i-1] != '\\' {
			return i
		}
		from = i + 1
	}
}

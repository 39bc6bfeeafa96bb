package paste

import (
	"strings"
	"unicode/utf8"
)

// clean converts raw bytes to a line. It removes terminal escapes, control characters and a byte order mark. Invalid UTF-8 becomes
// U+FFFD, and no-break spaces become plain spaces.
func clean(raw []byte) string {
	plain := true
	for _, c := range raw {
		if c < ' ' && c != '\t' || c >= 0x7f {
			plain = false
			break
		}
	}
	s := string(raw)
	if !plain {
		s = cleaned(s)
	}
	if strings.Contains(s, emphasis) {
		s = withoutEmphasis(s)
	}
	return strings.TrimRight(s, " \t")
}

// emphasis is how people mark a word in Markdown, also inside of an output that they quote.
const emphasis = "**"

// withoutEmphasis removes the marks around single words: **100%** is a value. Words between marks remain, because they are a person's.
func withoutEmphasis(s string) string {
	var b strings.Builder
	for word := range strings.SplitAfterSeq(s, " ") {
		bare := strings.TrimRight(word, " \t")
		inner, opened := strings.CutPrefix(bare, emphasis)
		inner, closed := strings.CutSuffix(inner, emphasis)
		if opened && closed && inner != "" && !strings.Contains(inner, "*") {
			word = inner + word[len(bare):]
		}
		b.WriteString(word)
	}
	return b.String()
}

func cleaned(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		c, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case c == 0x1b:
			size = escapeLength(s[i:])
		case c == '\t':
			b.WriteByte('\t')
		case c == '\u00a0' || c == '\u202f':
			b.WriteByte(' ')
		case c < ' ' || c >= 0x7f && c < 0xa0, c == '\ufeff', c == '\u200b':
		default:
			b.WriteRune(c)
		}
		i += size
	}
	return b.String()
}

// escapeLength returns the length of the terminal escape sequence at the start of s: CSI, OSC or two characters.
func escapeLength(s string) int {
	if len(s) < 2 {
		return len(s)
	}
	switch s[1] {
	case '[':
		for i := 2; i < len(s); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
			if s[i] < 0x20 || s[i] > 0x3f {
				return i
			}
		}
		return len(s)
	case ']':
		for i := 2; i < len(s); i++ {
			if s[i] == 0x07 {
				return i + 1
			}
			if s[i] == 0x1b {
				return min(i+2, len(s))
			}
		}
		return 2
	case '(', ')':
		return min(3, len(s))
	}
	if s[1] >= 0x80 {
		return 1
	}
	return 2
}

// indent returns the number of columns before the first character.
func indent(s string) int {
	n := 0
	for _, c := range s {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 8 - n%8
		default:
			return n
		}
	}
	return n
}

// expand replaces tabs by spaces up to the next multiple of eight columns, as a terminal does.
func expand(s string) string {
	if strings.IndexByte(s, '\t') < 0 {
		return s
	}
	var b strings.Builder
	column := 0
	for _, c := range s {
		if c == '\t' {
			n := 8 - column%8
			b.WriteString("        "[:n])
			column += n
			continue
		}
		b.WriteRune(c)
		column++
	}
	return b.String()
}

package redact

import "strings"

// maxArguments bounds the checked arguments of a command.
const maxArguments = 60

// arguments splits the arguments after a command and removes their quotes, up to the end of the line or of the command.
// It also splits JSON lists.
func arguments(s string, from int) []span {
	var out []span
	for p := from; len(out) < maxArguments; {
		if p = nextArgument(s, p); p >= len(s) {
			break
		}
		if commandEnds(s[p:]) {
			break
		}
		end := argumentEnd(s, p)
		if end == p {
			break
		}
		if arg := unquoted(s, span{lo: p, hi: end}); arg.lo < arg.hi {
			out = append(out, arg)
		}
		p = end
		if end < len(s) && s[end] == ',' && isQuote(s[end-1]) {
			p = skip(s, end+1, " \t", 8)
		}
	}
	return out
}

// commandEnds reports whether another command follows: after a pipe, a semicolon or a shell condition.
func commandEnds(s string) bool {
	switch s[0] {
	case '|':
		return true
	case ';':
		return len(s) == 1 || s[1] == ' '
	}
	return strings.HasPrefix(s, "&&")
}

func isQuote(c byte) bool { return c == '"' || c == '\'' }

// argumentAt returns the argument at p without its quotes.
func argumentAt(s string, p int) span {
	if p >= len(s) {
		return span{}
	}
	return unquoted(s, span{lo: p, hi: argumentEnd(s, p)})
}

// nextArgument skips spaces and list separators. It returns len(s) after the quote that ends the whole command.
func nextArgument(s string, p int) int {
	if q := skip(s, p, `\`, 8); q < len(s) && isQuote(s[q]) {
		sep := skip(s, q+1, " \t", 8)
		if sep >= len(s) || s[sep] != ',' {
			return len(s)
		}
		return skip(s, sep+1, " \t", 8)
	}
	return skip(s, p, " \t\x00", 200)
}

// argumentEnd returns the end of the argument at p: a space outside of quotes, or the quote that ends the whole
// command.
func argumentEnd(s string, p int) int {
	for i := p; i < len(s); i++ {
		switch c := s[i]; {
		case c == ' ', c == '\t', c == 0:
			return i
		case (c == ']' || c == ',') && i > p && isQuote(s[i-1]): // the list element
			return i
		case c == '\\' && i+1 < len(s) && s[i+1] == 'n':
			return i
		case isQuote(c):
			if !opens(s, p, i) {
				return i - escapesBefore(s, p, i)
			}
			_, hi, _ := inQuotes(s, i-escapesBefore(s, p, i))
			i = hi + escapesBefore(s, i, hi)
			for i < len(s) && s[i] == '\\' {
				i++
			}
		}
	}
	return len(s)
}

// opens reports whether the quote at i opens a part of the argument at p: at its start, or after the character or
// one-letter flag before its value.
func opens(s string, p, i int) bool {
	lead := strings.TrimRight(s[p:i], `\`)
	if lead == "" {
		return true
	}
	switch lead[len(lead)-1] {
	case '=', ':', ',', '$':
		return true
	}
	return len(lead) == 2 && lead[0] == '-' && isLetter(lead[1])
}

// escapesBefore counts the backslashes before i.
func escapesBefore(s string, from, i int) int {
	n := 0
	for i-n > from && s[i-n-1] == '\\' {
		n++
	}
	return n
}

// unquoted returns the argument without its quotes.
func unquoted(s string, a span) span {
	if a.lo >= a.hi {
		return a
	}
	if lo, hi, ok := inQuotes(s[:a.hi], a.lo); ok {
		return span{lo: lo, hi: hi}
	}
	return a
}

package redact

import "strings"

// maxArguments bounds the arguments of a command that are looked at.
const maxArguments = 60

// arguments splits what follows a command into its arguments, without their quotes: up to the end of the line or of the command. Those of a
// list in JSON are split too.
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

// commandEnds reports whether another command follows: behind a pipe, a semicolon or a condition of the shell.
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

// argumentAt is the argument that starts there, without its quotes.
func argumentAt(s string, p int) span {
	if p >= len(s) {
		return span{}
	}
	return unquoted(s, span{lo: p, hi: argumentEnd(s, p)})
}

// nextArgument moves over blanks, and over what stands between the elements of a list. Behind the quote that ends the whole command there
// is none: len(s).
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

// argumentEnd is where the argument that starts at p ends: at a blank outside of quotes, or at the quote that ends the whole command.
func argumentEnd(s string, p int) int {
	for i := p; i < len(s); i++ {
		switch c := s[i]; {
		case c == ' ' || c == '\t' || c == 0:
			return i
		case (c == ']' || c == ',') && i > p && isQuote(s[i-1]): // the element of a list
			return i
		case c == '\\' && i+1 < len(s) && s[i+1] == 'n':
			return i
		case c == '"' || c == '\'':
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

// opens reports whether the quote at i begins a part of the argument that starts at p: it does at its start, and behind the sign or the
// one letter of a flag that takes the part as its value.
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

// escapesBefore counts the backslashes in front of i.
func escapesBefore(s string, from, i int) int {
	n := 0
	for i-n > from && s[i-n-1] == '\\' {
		n++
	}
	return n
}

// unquoted is the argument without the quotes around it.
func unquoted(s string, a span) span {
	if a.lo >= a.hi {
		return a
	}
	if lo, hi, ok := inQuotes(s[:a.hi], a.lo); ok {
		return span{lo: lo, hi: hi}
	}
	return a
}

package redact

import "strings"

// value is what a text gives to a name.
type value struct {
	lo, hi int
	by     given
}

// given is how a text gives a value.
type given int

const (
	tight    given = iota // name=value, name:value
	spaced                // name: value, which a sentence may be
	quoted                // name="value", "name": "value"
	flagged               // --name value
	said                  // the name is value; name "value"
	ownLine               // a line of YAML, of describe output or of a file of settings
	listed                // name:[value]
	argument              // "--name","value"
)

// element is the value of an element of XML that begins there. What is followed by a space, or by another such word, stands for
// a value: <user>:<password>, <password> or <token>.
func element(s string, lo int) (value, bool) {
	hi := strings.IndexByte(s[lo:], '<')
	switch {
	case lo == len(s) || s[lo] == ' ':
		return value{}, false
	case hi < 0:
		return value{lo, len(s), quoted}, true
	}
	return value{lo, lo + hi, quoted}, hi > 0 && strings.HasPrefix(s[lo+hi:], "</")
}

// valueAfter finds the value of the name s[name:end].
func valueAfter(s string, name, end int) (value, bool) {
	p := afterSuffix(s, end)
	p, closed := closeQuote(s, p)
	if !closed && p < len(s) && s[p] == '>' && name > 0 && (s[name-1] == '<' || s[name-1] == ':') {
		return element(s, p+1)
	}
	if lo := skip(s, p, `\`, 8); !closed && lo > p && strings.HasPrefix(s[lo:], "u003e") {
		lo += len("u003e")
		hi := until(s, lo, "\\\"<")
		return value{lo, hi, quoted}, hi > lo
	}
	q := skip(s, p, " \t", 40)
	sep := separator(s[q:])
	if sep == 0 {
		return unassigned(s, name, p, q, closed)
	}
	colon := s[q] == ':' && sep == 1
	v := skip(s, q+sep, " \t", 40)
	if v >= len(s) {
		return value{}, false
	}
	if s[v] == '[' && !strings.HasPrefix(s[v:], tagStart) {
		if hi := strings.IndexByte(s[v:], ']'); hi > 1 {
			return value{v + 1, v + hi, listed}, true
		}
		return value{v + 1, len(s), listed}, true
	}
	if lo, hi, ok := inQuotes(s, v); ok {
		return value{lo, hi, quoted}, true
	}
	head := strings.TrimLeft(s[:name], " \t-#;")
	if (head == "" || head == "export " || head == "set ") && (colon || q > p || v > q+sep) {
		hi := len(strings.TrimRight(s, " \t\r"))
		return value{v, hi, ownLine}, true
	}
	by := tight
	if colon && v > q+sep || q > p {
		by = spaced
	}
	return value{v, bareEnd(s, v), by}, true
}

// unassigned finds the value of a name behind which there is no sign that assigns: of a flag, of the next argument in a list, of a
// field that JSON splits into name and value, and of a sentence.
func unassigned(s string, name, p, q int, closed bool) (value, bool) {
	dash := strings.HasPrefix(s[name:], "-")
	if closed && q < len(s) && s[q] == ',' {
		v := skip(s, q+1, " \t", 8)
		lo, hi, ok := inQuotes(s, v)
		switch {
		case !ok:
			return value{}, false
		case dash:
			return value{lo, hi, argument}, true
		case strings.EqualFold(s[lo:hi], "value") || strings.EqualFold(s[lo:hi], "secureValue"):
			v, _ = closeQuote(s, hi)
			if v = skip(s, v, " \t", 8); v < len(s) && s[v] == ':' {
				if lo, hi, ok := inQuotes(s, skip(s, v+1, " \t", 8)); ok {
					return value{lo, hi, quoted}, true
				}
			}
		}
		return value{}, false
	}
	if closed && strings.HasPrefix(s[q:], "value=") { // an attribute of XML
		if lo, hi, ok := inQuotes(s, q+len("value=")); ok {
			return value{lo, hi, quoted}, true
		}
	}
	if closed || q == p || q >= len(s) {
		return value{}, false
	}
	if dash {
		if lo, hi, ok := inQuotes(s, q); ok {
			return value{lo, hi, quoted}, true
		}
		return value{q, bareEnd(s, q), flagged}, true
	}
	for _, verb := range []string{"is ", "was ", "to ", "set to ", "is: ", "of "} {
		if hasPrefixFold(s[q:], verb) {
			q = skip(s, q+len(verb), " \t", 8)
			break
		}
	}
	if q >= len(s) {
		return value{}, false
	}
	if lo, hi, ok := inQuotes(s, q); ok {
		return value{lo, hi, said}, true
	}
	return value{q, bareEnd(s, q), said}, true
}

// toEnd extends a bare value to the end of its line.
func (v value) toEnd(s string) value {
	if v.by == quoted || v.by == listed {
		return v
	}
	hi := len(s)
	for _, end := range []string{`"`, `'`, `\n`, `\r`} {
		if i := strings.Index(s[v.lo:hi], end); i >= 0 {
			hi = v.lo + i
		}
	}
	v.hi = v.lo + len(strings.TrimRight(s[v.lo:hi], " \t\r\\"))
	return v
}

// afterSuffix moves behind what may follow the last word of a name.
func afterSuffix(s string, p int) int {
	rest := s[p:min(len(s), p+16)]
	for _, suffix := range nameSuffixes {
		if hasPrefixFold(rest, suffix) && (len(rest) == len(suffix) || !isLetter(rest[len(suffix)])) {
			p += len(suffix)
			break
		}
	}
	digits := skip(s, p, "0123456789_", 3)
	if digits > p && (digits == len(s) || !isWord(s[digits])) {
		p = digits
	}
	return p
}

// closeQuote moves behind the quote that ends a name, with the backslashes that escape it.
func closeQuote(s string, p int) (int, bool) {
	q := skip(s, p, `\`, 8)
	if q < len(s) && strings.IndexByte("\"'`", s[q]) >= 0 {
		return q + 1, true
	}
	for _, form := range []string{"&quot;", "&#34;", "%22", `\u0022`} {
		if strings.HasPrefix(s[p:], form) {
			return p + len(form), true
		}
	}
	return p, false
}

// separator is the length of the sign that assigns; 0: there is none.
func separator(s string) int {
	for _, sep := range []string{":=", "=>", "==", "%3D", "%3d", "%3A", "%3a", `\u003d`, "&#61;", "=", ":"} {
		if strings.HasPrefix(s, sep) {
			if sep == ":" && strings.HasPrefix(s, "://") {
				return 0
			}
			return len(sep)
		}
	}
	return 0
}

// inQuotes finds the quoted text that starts at p: it ends at the quote that is escaped as deep as the first, or with the line.
func inQuotes(s string, p int) (lo, hi int, ok bool) {
	if p >= len(s) {
		return 0, 0, false
	}
	if strings.HasPrefix(s[p:], "b'") || strings.HasPrefix(s[p:], `b"`) || strings.HasPrefix(s[p:], "u'") || strings.HasPrefix(s[p:], "@\"") {
		p++
	}
	for _, form := range []string{"&quot;", "&#34;", "%22", `\u0022`} {
		if strings.HasPrefix(s[p:], form) {
			lo = p + len(form)
			if i := strings.Index(s[lo:], form); i >= 0 {
				return lo, lo + i, true
			}
			return lo, len(s), true
		}
	}
	q := skip(s, p, `\`, 16)
	if q >= len(s) || strings.IndexByte("\"'`", s[q]) < 0 {
		return 0, 0, false
	}
	quote, escapes := s[q], q-p
	lo = q + 1
	for i := lo; i < len(s); i++ {
		if s[i] != quote {
			continue
		}
		back := 0
		for i-back > lo && s[i-back-1] == '\\' {
			back++
		}
		if back <= escapes {
			return lo, i - back, true
		}
	}
	return lo, len(s), true
}

// bareEnd is where a value that is not quoted ends. Signs that end a list or a pair end it only where one goes on or ends.
func bareEnd(s string, p int) int {
	for i := p; i < len(s); i++ {
		switch c := s[i]; c {
		case ' ', '\t', '"', '\'', '<', '>', '`':
			return i
		case '\\':
			if i+1 < len(s) && strings.IndexByte(`nrtu"'\`, s[i+1]) >= 0 {
				return i
			}
		case ',', ';', '&', '|':
			if i+1 == len(s) || strings.IndexByte(" \t\"'\\&", s[i+1]) >= 0 || pairFollows(s, i+1) {
				return i
			}
		case '%':
			if strings.HasPrefix(s[i:], "%26") || strings.HasPrefix(s[i:], "%22") || strings.HasPrefix(s[i:], "%20") {
				return i
			}
		case ')', ']', '}':
			if i+1 == len(s) || strings.IndexByte(" \t\"'\\,;.:)]}", s[i+1]) >= 0 {
				return i
			}
		}
	}
	return len(s)
}

// pairFollows reports whether a name and a sign that assigns stand at p.
func pairFollows(s string, p int) bool {
	q := p
	for q < len(s) && q-p < 40 && (isNameByte(s[q]) || s[q] == ' ' || s[q] == '@' && q == p) {
		q++
	}
	return q > p && q < len(s) && (s[q] == '=' || s[q] == ':' || strings.HasPrefix(s[q:], "%3"))
}

// skip moves over at most n of the characters.
func skip(s string, from int, chars string, n int) int {
	for ; n > 0 && from < len(s) && strings.IndexByte(chars, s[from]) >= 0; n-- {
		from++
	}
	return from
}

func until(s string, from int, chars string) int {
	if i := strings.IndexAny(s[from:], chars); i >= 0 {
		return from + i
	}
	return len(s)
}

func depth(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

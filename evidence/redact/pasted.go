package redact

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

var kindIsSecret = lazyregexp.New(`(?i)\bkind\\*["']?\s*[:=]\s*\\*["']?secret\b`)

// findKind records whether the object in the text is a Secret.
func findKind(l *Lines, s string, at, _ int, out []span) []span {
	if at > 0 && isWord(s[at-1]) {
		return out
	}
	rest := strings.TrimLeft(s[at+len("kind"):min(len(s), at+40)], `\"': `)
	if len(rest) > 1 && isUpper(rest[0]) {
		l.secret = strings.HasPrefix(rest, "Secret") && (len(rest) == len("Secret") || !isLetter(rest[len("Secret")]))
	}
	return out
}

// findData redacts the values of data and stringData of a Secret, on the same line and below it.
func findData(l *Lines, s string, at, end int, out []span) []span {
	if at > 0 && isNameByte(s[at-1]) {
		return out
	}
	strict := strings.EqualFold(s[at:min(len(s), at+10)], "stringdata")
	p := at + len("data")
	if strict {
		p = at + len("stringdata")
	}
	p, _ = closeQuote(s, p)
	if p >= len(s) || s[p] != ':' {
		return out
	}
	p = skip(s, p+1, " \t", 8)
	head, tail := logHead(s)
	rest := ""
	if p < tail {
		rest = strings.TrimSpace(s[p:tail])
	}
	if rest != "" && rest[0] != '{' { // neither a block nor pairs: most log lines with the word data
		return out
	}
	strict = strict || l.secret || kindIsSecret.MatchString(s[max(0, at-2000):min(len(s), at+8000)])
	if rest == "" || rest == "{" {
		if at >= head {
			l.openData(strict, indentOf(s[head:at]))
		}
		return out
	}
	if s[p] != '{' {
		return out
	}
	return dataPairs(s, p+1, strict, out)
}

func (l *Lines) openData(strict bool, indent int) {
	if strict {
		l.open(secretBlock, indent)
		return
	}
	l.open(dataBlock, indent)
}

// indentOf returns the indentation of a key after this prefix. If a sentence introduces a quoted message, it starts
// there.
func indentOf(before string) int {
	if strings.Trim(before, " \t-\"'{") != "" {
		return 0
	}
	return len(before) - strings.Count(before, `"`)
}

// dataPairs redacts the values of "name":"value" pairs up to the closing brace.
func dataPairs(s string, p int, strict bool, out []span) []span {
	for p < len(s) {
		_, hi, ok := inQuotes(s, skip(s, p, " ,\t", 20))
		if !ok {
			return out
		}
		p, _ = closeQuote(s, hi)
		if p = skip(s, p, " \t", 8); p >= len(s) || s[p] != ':' {
			return out
		}
		lo, hi, ok := inQuotes(s, skip(s, p+1, " \t", 8))
		if !ok {
			return out
		}
		if isData(s[lo:hi], strict) {
			out = append(out, span{lo, hi, "secret"})
		}
		if p, ok = closeQuote(s, hi); !ok || p >= len(s) || s[p] == '}' {
			return out
		}
	}
	return out
}

// findGoMap redacts the values of a printed Go map if they are base64 texts: the data of a Secret.
func findGoMap(_ *Lines, s string, _, end int, out []span) []span { return goMap(s, end, false, out) }

func goMap(s string, end int, strict bool, out []span) []span {
	stop := end + until(s[end:], 0, "]")
	for p := end; p < stop; {
		next := p + until(s[p:stop], 0, " ")
		if colon := strings.IndexByte(s[p:next], ':'); colon > 0 {
			if lo := p + colon + 1; isData(s[lo:next], strict) {
				out = append(out, span{lo, next, "secret"})
			}
		}
		p = next + 1
	}
	return out
}

// isData reports whether a value is data of a Secret; strict: the object is known to be one.
func isData(v string, strict bool) bool { return !hidden(v) && (strict || encodedData(v)) }

// encodedData distinguishes data of a Secret from other settings: base64 of a text, or of many random bytes.
func encodedData(v string) bool {
	body := strings.TrimRight(v, "=")
	if len(v)%4 != 0 || len(v) < 8 && len(body) == len(v) || len(v) < 4 {
		return false
	}
	plain, err := base64.RawStdEncoding.DecodeString(body)
	if err != nil {
		return false
	}
	if utf8.Valid(plain) && printable(plain) {
		return true
	}
	return len(v) >= 40 && looksRandom(body, 40)
}

func printable(plain []byte) bool {
	for _, c := range plain {
		switch {
		case c == '\n', c == '\r', c == '\t':
		case c < ' ', c == 0x7f:
			return false
		}
	}
	return true
}

var dataLine = lazyregexp.New(`^\s*(?:- )?\\*["']?[\w./-]+\\*["']?\s*:\s*(.*?)\s*$`)

// insideData returns the values in a line of the data of an object.
func (l *Lines) insideData(s string, head, tail int) ([]span, bool) {
	body := s[head:tail]
	text := strings.TrimSpace(body)
	d := depth(body)
	switch {
	case text == "":
		return nil, true
	case d <= l.indent || text[0] == '}':
		return nil, false
	case l.inner > 0 && d > l.inner:
		if l.block == secretBlock {
			return wholeLine(s, head, tail, "secret"), true
		}
		return l.scan(s), true
	}
	l.inner = 0
	m := dataLine.FindStringSubmatchIndex(body)
	if m == nil {
		if l.block == secretBlock { // a value that continues
			return wholeLine(s, head, tail, "secret"), true
		}
		return l.scan(s), true
	}
	v := span{head + m[2], head + m[3], "secret"}
	if value := s[v.lo:v.hi]; value == "" || isScalarMark(value) {
		l.inner = max(d, 1)
		return nil, true
	}
	v = unquotedValue(s, v)
	switch value := s[v.lo:v.hi]; {
	case value == "" || hidden(value):
		return nil, true
	case l.block == secretBlock || encodedData(value):
		return []span{v}, true
	}
	return l.scan(s), true
}

// unquotedValue returns a YAML or JSON value without its quotes and trailing comma.
func unquotedValue(s string, v span) span {
	if lo, hi, ok := inQuotes(s[:v.hi], v.lo); ok {
		v.lo, v.hi = lo, hi
		return v
	}
	for v.hi > v.lo && s[v.hi-1] == ',' {
		v.hi--
	}
	return v
}

// findAccounts opens the cloud-init block of users with passwords.
func findAccounts(l *Lines, s string, at, end int, out []span) []span {
	head, tail := logHead(s)
	if at < head {
		return out
	}
	if strings.TrimSpace(s[end:max(end, tail)]) == "" {
		l.open(accountBlock, indentOf(s[head:at]))
		return out
	}
	return accounts(s, end, tail, out)
}

// accounts redacts the passwords of user:password pairs.
func accounts(s string, lo, hi int, out []span) []span {
	for p := lo; p < hi; {
		p = skip(s, p, " \t\"'{}[],|-", 40)
		end := p + until(s[p:hi], 0, " \t\"'{}[],\\")
		if colon := strings.IndexByte(s[p:end], ':'); colon > 0 && p+colon+1 < end && !hidden(s[p+colon+1:end]) {
			out = append(out, span{p + colon + 1, end, "password"})
		}
		p = end + 1
	}
	return out
}

func (l *Lines) insideAccounts(s string, head, tail int) ([]span, bool) {
	body := s[head:tail]
	text := strings.TrimSpace(body)
	if text == "" {
		return nil, l.indent >= 0
	}
	colon := strings.IndexByte(text, ':')
	if depth(body) <= l.indent || l.indent < 0 && (colon <= 0 || strings.ContainsAny(text, " \t")) {
		return nil, false
	}
	return merged(append(l.scan(s), accounts(s, head, tail, nil)...)), true
}

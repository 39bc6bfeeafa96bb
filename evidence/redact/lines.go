package redact

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// Lines redacts a text line by line and keeps state between lines: private keys, pasted Secrets, YAML block scalars,
// container environments in kubectl describe and YAML output, and names with the value on the next line. It is not safe
// for concurrent use.
type Lines struct {
	redactor *Redactor
	block    block
	indent   int       // of the line that opened the block
	odd      int       // consecutive lines that do not belong to the open block
	inner    int       // indentation of the key of a YAML block scalar, in a data block; 0: none
	secret   bool      // the object in the text is a Secret
	awaits   awaited   // what the next line may contain
	decoding int       // nesting of encodings
	within   bool      // the text is escaped inside another line
	runs     runMemory // decoded sequences of the line
	runless  bool      // the caller found no base64 sequence in the line
	looks    int       // number of checked clues in the line
}

type block int

const (
	noBlock      block = iota
	keyBlock           // of a private key, up to its end
	publicBlock        // of a certificate
	envBlock           // Environment: in kubectl describe
	envList            // env: in YAML
	scalarBlock        // password: | in YAML
	dataBlock          // data: of an object with an unknown kind
	secretBlock        // data: or stringData: of a Secret
	accountBlock       // user:password, one per line
)

// Lines starts a text.
func (r *Redactor) Lines() *Lines { return &Lines{redactor: r} }

// Line returns the line, without its line break, in redacted form.
func (l *Lines) Line(s string) string { return l.emails(l.redactor.replace(s, l.spans(s))) }

// waits reports whether the next line depends on the previous one.
func (l *Lines) waits() bool { return l.block != noBlock || l.awaits.what != nothing }

// spans returns the parts of the line to redact, in order.
func (l *Lines) spans(s string) []span {
	var given []span
	if l.waits() {
		head, tail := logHead(s)
		given = l.given(s, head, tail)
		if l.block != noBlock {
			if out, inside := l.inside(s, head, tail); inside {
				return merged(append(append(out, given...), l.alone(s)...))
			}
			l.block, l.inner = noBlock, 0
		}
	}
	out := l.scan(s)
	if len(given) > 0 {
		out = merged(append(out, given...))
	}
	if len(out) == 0 && len(s) >= minBody && base64Line(s) {
		out = []span{{len(s) - len(strings.TrimLeft(s, " \t")), len(strings.TrimRight(s, " \t\r")), "base64"}}
		l.block, l.odd = keyBlock, maxOdd // its last line is shorter
	}
	return out
}

// alone returns the parts to redact regardless of the open block, and does not change the block.
func (l *Lines) alone(s string) []span {
	inner := Lines{redactor: l.redactor, decoding: l.decoding, within: l.within}
	out := inner.scan(s)
	if inner.awaits.what != nothing {
		l.awaits = inner.awaits
	}
	return out
}

func (l *Lines) emails(s string) string {
	if !l.redactor.emails || strings.IndexByte(s, '@') < 0 {
		return s
	}
	var spans []span
	for _, m := range email.FindAllStringSubmatchIndex(s, -1) {
		if !unitName(s[m[2]:m[3]]) {
			spans = append(spans, span{m[2], m[3], "email"})
		}
	}
	return l.redactor.replace(s, spans)
}

func blockClues() []clue {
	return []clue{
		{text: "---begin ", find: findKey},
		{text: "-- begin ", find: findKey},
		{text: "--begin%20", find: findKey},
		{text: "private-lines:", find: func(l *Lines, s string, at, end int, out []span) []span {
			if !strings.Contains(s[end:], lineBreak) {
				l.open(keyBlock, 0)
			}
			return out
		}},
		{text: "environment:", find: func(l *Lines, s string, at, end int, out []span) []span {
			if head, _ := logHead(s); strings.TrimSpace(s[head:]) == s[at:end] && at > head {
				l.open(envBlock, at-head)
			}
			return out
		}},
		{text: "env:", find: func(l *Lines, s string, at, end int, out []span) []span {
			head, tail := logHead(s)
			if at >= head && strings.TrimSpace(s[end:max(end, tail)]) == "" && (at == 0 || !isNameByte(s[at-1])) {
				l.open(envList, indentOf(s[head:at]))
			}
			return out
		}},
		{text: "env\"", find: findEnvList},
		{text: "env\\", find: findEnvList},
		{text: "secrets", find: findCSI},
		{text: "kty", find: findJWK},
		{text: "rsakeyvalue", find: findJWK},
		{text: "kind", find: findKind},
		{text: "apiversion", find: func(l *Lines, _ string, _, _ int, out []span) []span {
			l.secret = false
			return out
		}},
		{text: "stringdata", find: findData},
		{text: "data:", find: findData},
		{text: "data\"", find: findData},
		{text: "data\\", find: findData},
		{text: "map[", find: findGoMap},
		{text: "chpasswd:", find: findAccounts},
		{text: "random' passwords", find: func(l *Lines, s string, _, end int, out []span) []span {
			if !strings.Contains(s[end:], lineBreak) {
				l.open(accountBlock, -1)
			}
			return out
		}},
	}
}

func (l *Lines) open(b block, indent int) { l.block, l.indent, l.odd, l.inner = b, indent, 0, 0 }

// findEnvList redacts the values of an environment list on one line.
func findEnvList(_ *Lines, s string, _, end int, out []span) []span {
	p, _ := closeQuote(s, end-1)
	p = skip(s, p, ": \t", 4)
	if p >= len(s) || s[p] != '[' {
		return out
	}
	for p < len(s) && s[p] != ']' { // a field reference has no value
		if lo, hi, ok := inQuotes(s, p); ok {
			key := s[lo:hi]
			p, _ = closeQuote(s, hi)
			if q := skip(s, p, " \t", 4); strings.EqualFold(key, "value") && q < len(s) && s[q] == ':' {
				lo, hi, ok = inQuotes(s, skip(s, q+1, " \t", 8))
				if ok && !hidden(s[lo:hi]) {
					out = append(out, span{lo, hi, "env"})
				}
				if ok {
					p, _ = closeQuote(s, hi)
				}
			}
			continue
		}
		p++
	}
	return out
}

// findCSI redacts the secrets in a CSI call, as JSON or as a Go map.
func findCSI(_ *Lines, s string, _, end int, out []span) []span {
	p, _ := closeQuote(s, end)
	if p = skip(s, p, " \t", 4); p >= len(s) || s[p] != ':' {
		return out
	}
	p = skip(s, p+1, " \t", 4)
	switch {
	case p < len(s) && s[p] == '{':
		return dataPairs(s, p+1, true, out)
	case strings.HasPrefix(s[min(p, len(s)):], "map["):
		return goMap(s, p+len("map["), true, out)
	}
	return out
}

// findJWK redacts the private fields of a key in JSON or XML.
func findJWK(_ *Lines, s string, at, end int, out []span) []span {
	from := max(0, at-maxURL)
	for _, m := range jwkPart.FindAllStringSubmatchIndex(s[from:min(len(s), end+maxURL)], -1) {
		out = append(out, span{from + m[2], from + m[3], "private-key"})
	}
	return out
}

var (
	jwkPart   = lazyregexp.New(`(?:"(?:d|p|q|dp|dq|qi|k)\\*"\s*:\s*\\*"|(?:<|\\+u003c)(?:D|P|Q|DP|DQ|InverseQ)(?:>|\\+u003e))([A-Za-z0-9+/=_-]{20,})`)
	envValue  = lazyregexp.New(`^\s+[^\s:]+:\s+(\S.*)$`)
	envValueY = lazyregexp.New(`^\s*(?:- )?["']?value["']?:\s+(\S.*)$`)
)

// inside returns the parts to redact in a line of the open block with the text s[head:tail]; false: the block ended
// before it.
func (l *Lines) inside(s string, head, tail int) ([]span, bool) {
	body := s[head:tail]
	blank := strings.TrimSpace(body) == ""
	switch l.block {
	case keyBlock:
		return l.insideKey(s)
	case publicBlock:
		return nil, l.insidePublic(s)
	case envBlock:
		if !blank && depth(body) <= l.indent {
			return nil, false
		}
		return envSpan(envValue, s, head, tail), !blank
	case envList:
		if d := depth(body); d < l.indent || d == l.indent && !strings.HasPrefix(strings.TrimLeft(body, " "), "- ") {
			return nil, false
		}
		return envSpan(envValueY, s, head, tail), true
	case dataBlock, secretBlock:
		return l.insideData(s, head, tail)
	case accountBlock:
		return l.insideAccounts(s, head, tail)
	default: // scalarBlock
		if blank {
			return nil, true
		}
		if depth(body) <= l.indent {
			return nil, false
		}
		return wholeLine(s, head, tail, "password"), true
	}
}

// wholeLine returns the text of the line, unless it is redacted already.
func wholeLine(s string, head, tail int, kind string) []span {
	body := s[head:tail]
	if hidden(strings.TrimSpace(body)) {
		return nil
	}
	return []span{{head + len(body) - len(strings.TrimLeft(body, " \t")), head + len(strings.TrimRight(body, " \t\r")), kind}}
}

// envSpan returns the value of an environment variable. References to other objects stay.
func envSpan(find *lazyregexp.Regexp, s string, head, tail int) []span {
	m := find.FindStringSubmatchIndex(s[head:tail])
	if m == nil || hidden(strings.Trim(s[head+m[2]:head+m[3]], `"'`)) {
		return nil
	}
	return []span{{head + m[2], head + m[3], "env"}}
}

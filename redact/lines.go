package redact

import (
	"strings"

	"github.com/nodetriage/nodetriage/lazyregexp"
)

// Lines redacts a text that comes line by line and remembers what goes over several of them: private keys, texts of YAML, and
// the environment of a container as kubectl describe and YAML print it. It is not safe for concurrent use.
type Lines struct {
	redactor *Redactor
	block    block
	indent   int  // of the line that opened the block
	odd      int  // lines in a row that do not belong to the key whose block is open
	decoding bool // the text is the decoded form of another
	looks    int  // at clues of the line so far
}

type block int

const (
	noBlock     block = iota
	keyBlock          // of a private key, up to its end
	publicBlock       // of a certificate
	envBlock          // Environment: of kubectl describe
	envList           // env: of YAML
	scalarBlock       // password: | of YAML
)

// Lines starts a text.
func (r *Redactor) Lines() *Lines { return &Lines{redactor: r} }

// Line returns the line, which holds no line break, without its secrets.
func (l *Lines) Line(s string) string {
	if l.block != noBlock {
		if out, inside := l.inside(s); inside {
			return out
		}
		l.block = noBlock
	}
	spans := l.scan(s)
	if len(spans) == 0 && len(s) >= minBody && base64Line(s) {
		spans = []span{{0, len(strings.TrimRight(s, " \t\r")), "base64"}}
		spans[0].lo = len(s) - len(strings.TrimLeft(s, " \t"))
		l.block, l.odd = keyBlock, maxOdd // its last line is shorter
	}
	return l.emails(l.redactor.replace(s, spans))
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
		{text: "-----begin ", find: findKey},
		{text: "private-lines:", find: func(l *Lines, s string, at, end int, out []span) []span {
			l.block, l.odd = keyBlock, 0
			return out
		}},
		{text: "environment:", find: func(l *Lines, s string, at, end int, out []span) []span {
			if strings.TrimSpace(s) == s[at:end] && at > 0 {
				l.block, l.indent = envBlock, at
			}
			return out
		}},
		{text: "env:", find: func(l *Lines, s string, at, end int, out []span) []span {
			if head := strings.TrimLeft(s[:at], " "); strings.TrimSpace(s[end:]) == "" && (head == "" || head == "- ") {
				l.block, l.indent = envList, depth(s)
			}
			return out
		}},
	}
}

// public are the kinds of blocks that everybody may see.
var public = []string{"CERTIFICATE", "PUBLIC KEY", "RSA PUBLIC KEY", "EC PUBLIC KEY", "NEW CERTIFICATE REQUEST", "X509 CRL", "DH PARAMETERS", "EC PARAMETERS", "PGP SIGNATURE", "PGP PUBLIC KEY BLOCK", "PGP MESSAGE", "PGP SIGNED MESSAGE", "TRUSTED CERTIFICATE", "SSH2 PUBLIC KEY", "PKCS7", "CMS", "OPENSSH PUBLIC KEY", "SSH SIGNATURE"}

// findKey hides what follows the head of a private key, and opens its block where it goes on in the next lines. A head that
// is cut off counts, unless it begins as something public does.
func findKey(l *Lines, s string, _, end int, out []span) []span {
	what := s[end:]
	for _, p := range public {
		if strings.HasPrefix(what, p) || len(what) < len(p) && what != "" && strings.HasPrefix(p, strings.TrimRight(what, "- ")) {
			if !strings.Contains(s[end:], "-----END") && !strings.Contains(s[end:], `\n`) {
				l.block, l.odd = publicBlock, 0
			}
			return out
		}
	}
	body := end + until(what, 0, "\\\"'")
	if i := strings.Index(what, "-----"); i >= 0 && i <= 60 {
		body = end + i + len("-----")
	}
	rest := s[body:]
	stop := len(rest)
	closed := false
	if i := strings.Index(rest, "-----END"); i >= 0 {
		stop, closed = i, true
	} else if i := strings.IndexAny(rest, `"'`); i >= 0 {
		stop, closed = i, true
	}
	text := strings.Trim(rest[:stop], " \t\r\\nr,")
	if !closed || text == "" && !strings.HasPrefix(rest[stop:], "-----END") {
		l.block, l.odd = keyBlock, 0
	}
	if text == "" || hidden(text) {
		return out
	}
	lo := body
	for strings.HasPrefix(s[lo:], `\`) || strings.HasPrefix(s[lo:], " ") {
		lo += len(s[lo:]) - len(strings.TrimLeft(s[lo:], `\ `))
		if lo < len(s) && (s[lo] == 'n' || s[lo] == 'r') && s[lo-1] == '\\' {
			lo++
		}
	}
	if lo >= body+stop {
		return out
	}
	return append(out, span{lo, body + stop, "private-key"})
}

const (
	minBody = 56 // letters of a line of base64 that stands alone: keys are wrapped at 64 or 76
	maxOdd  = 3  // lines of something else within a key
)

// base64Line tells a line of a key whose head was cut off.
func base64Line(s string) bool {
	s = strings.TrimSpace(s)
	if len(s) != 64 && len(s) != 70 && len(s) != 76 || strings.ContainsAny(s, " -_.:") {
		return false
	}
	var lower, upper, digits bool
	for i := range len(s) {
		switch c := s[i]; {
		case isLower(c):
			lower = true
		case isUpper(c):
			upper = true
		case '0' <= c && c <= '9':
			digits = true
		case c != '+' && c != '/' && c != '=':
			return false
		}
	}
	return lower && upper && digits
}

var (
	keyBody   = lazyregexp.New(`^\s*(?:\S.*\s)??["'|>]*([A-Za-z0-9+/=]{1,}(?:\\[nr])*)["',\\]*\s*$`)
	keyRuns   = lazyregexp.New(`[A-Za-z0-9+/]{20,}={0,2}`)
	keyHeader = lazyregexp.New(`^\s*[A-Z][A-Za-z0-9-]{3,20}: `)
	envValue  = lazyregexp.New(`^\s+[^\s:]+:\s+(\S.*)$`)
	envValueY = lazyregexp.New(`^\s*(?:- )?value:\s+(\S.*)$`)
)

// inside redacts a line of the open block; false: the block ended before it.
func (l *Lines) inside(s string) (string, bool) {
	switch l.block {
	case keyBlock:
		return l.insideKey(s)
	case publicBlock:
		m := keyBody.FindStringSubmatchIndex(s)
		switch {
		case strings.Contains(s, "-----END"):
			l.block = noBlock
			return s, true
		case m == nil || m[3]-m[2] < 16 && strings.TrimSpace(s) != s[m[2]:m[3]]:
			l.odd++
			return s, l.odd <= maxOdd && strings.TrimSpace(s) == ""
		}
		l.odd = 0
		return s, true
	case envBlock:
		if depth(s) <= l.indent {
			return s, false
		}
		return l.env(envValue, s), true
	case envList:
		if d := depth(s); d < l.indent || d == l.indent && !strings.HasPrefix(strings.TrimLeft(s, " "), "- ") {
			return s, false
		}
		return l.env(envValueY, s), true
	default: // scalarBlock
		if strings.TrimSpace(s) == "" {
			return s, true
		}
		if depth(s) <= l.indent {
			return s, false
		}
		return l.redactor.replace(s, []span{{depth(s), len(s), "password"}}), true
	}
}

func (l *Lines) insideKey(s string) (string, bool) {
	if i := strings.Index(s, "-----END "); i >= 0 {
		l.block = noBlock
		body := strings.TrimSpace(s[:i])
		if body != "" && !strings.ContainsAny(body, " \t") && !hidden(body) {
			return l.redactor.replace(s, []span{{strings.Index(s, body), i, "private-key"}}), true
		}
		return s, true
	}
	body := strings.TrimSpace(s)
	if body == "" || keyHeader.MatchString(s) && !strings.Contains(body, ":6") || strings.HasSuffix(body, "KEY-----") {
		return s, true
	}
	m := keyBody.FindStringSubmatchIndex(s)
	switch {
	case strings.Contains(s, tagStart):
		l.odd = 0
		return s, true
	case m != nil && (m[3]-m[2] >= 12 || body == s[m[2]:m[3]]):
		l.odd = 0
		return l.redactor.replace(s, []span{{m[2], m[3], "private-key"}}), true
	}
	if runs := keyRuns.FindAllStringSubmatchIndex(s, -1); runs != nil {
		var spans []span
		for _, m := range runs {
			spans = append(spans, span{m[0], m[1], "private-key"})
		}
		l.odd = 0
		return l.redactor.replace(s, spans), true
	}
	if l.odd++; l.odd > maxOdd {
		return s, false
	}
	return l.redactor.replace(s, l.scan(s)), true
}

// env hides the value of an environment variable; references to other objects stay.
func (l *Lines) env(find *lazyregexp.Regexp, s string) string {
	m := find.FindStringSubmatchIndex(s)
	if m == nil || hidden(strings.Trim(s[m[2]:m[3]], `"'`)) {
		return s
	}
	return l.redactor.replace(s, []span{{m[2], m[3], "env"}})
}

package redact

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// public are the kinds of public PEM blocks.
var public = []string{"CERTIFICATE", "PUBLIC KEY", "RSA PUBLIC KEY", "EC PUBLIC KEY", "NEW CERTIFICATE REQUEST", "X509 CRL", "DH PARAMETERS", "EC PARAMETERS", "PGP SIGNATURE", "PGP PUBLIC KEY BLOCK", "PGP MESSAGE", "PGP SIGNED MESSAGE", "TRUSTED CERTIFICATE", "SSH2 PUBLIC KEY", "PKCS7", "CMS", "OPENSSH PUBLIC KEY", "SSH SIGNATURE", "SSH HOST KEY FINGERPRINTS", "SSH HOST KEY KEYS"}

// ends are the prefixes of the last line of a key, in PEM, SSH2 and URLs.
var ends = []string{"-----END", "---- END", "-----end"}

func endOfKey(s string) int {
	for _, end := range ends {
		if i := strings.Index(s, end); i >= 0 {
			return i
		}
	}
	return -1
}

// findKey redacts the text after the header of a private key, and opens its block if it continues on the next lines. A
// truncated header counts, unless it is the prefix of a public one.
func findKey(l *Lines, s string, _, end int, out []span) []span {
	header := s[end:]
	if isPublic(header) {
		if endOfKey(header) < 0 && !strings.Contains(header, `\n`) {
			l.block, l.odd = publicBlock, 0
		}
		return out
	}
	body := end + headerEnd(header)
	rest := s[body:]
	stop, closed := keyEnd(rest)
	text := strings.Trim(rest[:stop], " \t\r\\nr,")
	if !closed || text == "" && endOfKey(rest[stop:]) != 0 {
		l.block, l.odd = keyBlock, 0
	}
	if text == "" || hidden(text) {
		return out
	}
	lo := skipBreaks(s, body)
	if lo >= body+stop {
		return out
	}
	return append(out, span{lo, body + stop, "private-key"})
}

// isPublic reports whether the header is that of a public block, or its beginning.
func isPublic(header string) bool {
	for _, kind := range public {
		truncated := header != "" && len(header) < len(kind) && strings.HasPrefix(kind, strings.TrimRight(header, "- "))
		if truncated || strings.HasPrefix(header, kind) {
			return true
		}
	}
	return false
}

// headerEnd returns the end of the header of a key: after its dashes, or at an escape or a quote.
func headerEnd(header string) int {
	if i := strings.Index(header, "----"); i >= 0 && i <= 60 {
		return skip(header, i, "-", 5)
	}
	return until(header, 0, "\\\"'")
}

// keyEnd returns the end of a key on its line; closed: it does not continue on the next lines.
func keyEnd(s string) (end int, closed bool) {
	if i := endOfKey(s); i >= 0 {
		return i, true
	}
	if i := strings.IndexAny(s, `"'`); i >= 0 {
		return i, true
	}
	return len(s), false
}

// skipBreaks skips spaces, backslashes and escaped line breaks.
func skipBreaks(s string, p int) int {
	for strings.HasPrefix(s[p:], `\`) || strings.HasPrefix(s[p:], " ") {
		p += len(s[p:]) - len(strings.TrimLeft(s[p:], `\ `))
		if p < len(s) && (s[p] == 'n' || s[p] == 'r') && s[p-1] == '\\' {
			p++
		}
	}
	return p
}

const (
	minBody = 56 // letters of a base64 line without a header: keys wrap at 64 or 76
	maxOdd  = 3  // other lines within a key
)

// base64Line reports whether the line may belong to a key without a header.
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
	keyRuns   = lazyregexp.New(`[A-Za-z0-9+/]{20,}={0,2}`)
	keyHeader = lazyregexp.New(`^\s*[A-Z][A-Za-z0-9-]{3,20}: `)
)

// keyBody returns the base64 in the last word of a line, with literal line breaks after it; lo == hi: none.
func keyBody(s string) (lo, hi int) {
	const spaces = "\t\n\f\r "
	s = strings.TrimRight(s, spaces)
	lo = strings.LastIndexAny(s, spaces) + 1
	lo += len(s[lo:]) - len(strings.TrimLeft(s[lo:], `"'|>`))
	for hi = lo; hi < len(s) && (isWord(s[hi]) || strings.IndexByte("+/=", s[hi]) >= 0); hi++ {
	}
	if hi == lo {
		return 0, 0
	}
	for strings.HasPrefix(s[hi:], `\n`) || strings.HasPrefix(s[hi:], `\r`) {
		hi += 2
	}
	if strings.Trim(s[hi:], "\"',\\") != "" {
		return 0, 0
	}
	return lo, hi
}

// insidePublic reports whether the line belongs to the open block of a certificate.
func (l *Lines) insidePublic(s string) bool {
	lo, hi := keyBody(s)
	switch {
	case endOfKey(s) >= 0:
		l.block = noBlock
		return true
	case lo == hi || hi-lo < 16 && strings.TrimSpace(s) != s[lo:hi]:
		l.odd++
		return l.odd <= maxOdd && strings.TrimSpace(s) == ""
	}
	l.odd = 0
	return true
}

// lastPart returns the part of a key before its end on the same line.
func lastPart(s string, end int) []span {
	body := strings.TrimSpace(s[:end])
	if body == "" || strings.ContainsAny(body, " \t") || hidden(body) {
		return nil
	}
	return []span{{strings.Index(s, body), end, "private-key"}}
}

// insideKey returns the parts to redact in a line of a private key.
func (l *Lines) insideKey(s string) ([]span, bool) {
	if i := endOfKey(s); i >= 0 {
		l.block = noBlock
		return lastPart(s, i), true
	}
	body := strings.TrimSpace(s)
	switch {
	case body == "" || strings.HasSuffix(body, "KEY-----"):
		return nil, true
	case keyHeader.MatchString(s) && !strings.Contains(body, ":6"):
		return l.scan(s), true
	}
	lo, hi := keyBody(s)
	switch {
	case strings.Contains(s, tagStart):
		l.odd = 0
		return nil, true
	case lo < hi && (hi-lo >= 12 || body == s[lo:hi]):
		l.odd = 0
		return []span{{lo, hi, "private-key"}}, true
	}
	if runs := keyRuns.FindAllStringSubmatchIndex(s, -1); runs != nil {
		var spans []span
		for _, m := range runs {
			spans = append(spans, span{m[0], m[1], "private-key"})
		}
		l.odd = 0
		return spans, true
	}
	if l.odd++; l.odd > maxOdd {
		return nil, false
	}
	return l.scan(s), true
}

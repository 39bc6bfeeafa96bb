package redact

import (
	"encoding/base64"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// starts reports whether a word may start at the position: no letter or digit is before it, except as part of an
// escape.
func starts(s string, at int) bool { return at == 0 || !isWord(s[at-1]) || escape(s, at) }

// escape reports whether a JSON escape (
// , \u0026) or a URL escape (%3D) ends at the position.
func escape(s string, at int) bool {
	switch {
	case at > 1 && s[at-2] == '\\' && strings.IndexByte("nrt", s[at-1]) >= 0, at > 2 && s[at-3] == '%':
		return true
	}
	return at > 5 && s[at-6] == '\\' && s[at-5] == 'u'
}

// run returns the range of key characters around s[at:end].
func run(s string, at, end int) (lo, hi int) {
	in := func(c byte) bool { return isWord(c) || strings.IndexByte("+/_~.-", c) >= 0 }
	for lo = at; lo > 0 && at-lo < 100 && in(s[lo-1]); lo-- {
	}
	for hi = end; hi < len(s) && hi-end < 100 && (in(s[hi]) || s[hi] == '='); hi++ {
	}
	return lo, hi
}

// dsnPassword redacts the password of user:password@tcp(host), as used by database drivers.
func dsnPassword(s string, at int, out []span) []span {
	lo := at
	for lo > 0 && strings.IndexByte(" \t\"'=<>", s[lo-1]) < 0 {
		lo--
	}
	colon := strings.IndexByte(s[lo:at], ':')
	if colon < 0 || hidden(s[lo+colon+1:at]) {
		return out
	}
	return append(out, span{lo + colon + 1, at, "url-password"})
}

func anyDigit(v string) bool { return strings.ContainsAny(v, "0123456789") }

// tokenish distinguishes a token from an ordinary word after "bearer".
func tokenish(v string) bool {
	switch {
	case anyDigit(v) && len(v) >= 12, looksRandom(v, 20):
		return true
	}
	return len(v) >= 24 && strings.Trim(v, "abcdefghijklmnopqrstuvwxyz-.") != ""
}

// basicAuth reports whether the text is base64 of user:password.
func basicAuth(v string) bool {
	plain, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(v, "="))
	if err != nil || strings.IndexByte(string(plain), ':') < 0 {
		return false
	}
	for _, c := range plain {
		if c < ' ' {
			return false
		}
	}
	return true
}

// email matches an email address.
var email = lazyregexp.New(`\b([A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24})\b`)

// unitName distinguishes a systemd unit instance and an image digest from an email address.
func unitName(v string) bool {
	for _, end := range []string{".service", ".socket", ".slice", ".mount", ".timer", ".target", ".scope", ".path", ".local", ".internal"} {
		if strings.HasSuffix(v, end) {
			return true
		}
	}
	return false
}

// authorization redacts the value of an Authorization header, after the scheme if it is known.
func authorization(s string, v value, out []span) []span {
	text := s[v.lo:v.hi]
	if placeholder(text) || v.by == said || v.by == flagged {
		return out
	}
	rest := s[v.lo:]
	scheme := rest[:until(rest, 0, " \t\\%[")]
	if more := strings.TrimSpace(strings.TrimPrefix(s[v.lo:], scheme)); more != "" && hidden(more) {
		return out
	}
	switch strings.ToLower(scheme) {
	case "bearer", "basic", "token", "negotiate", "ntlm", "apikey", "api-key", "splunk", "sso-key", "sharedkey", "sharedkeylite", "key", "genie", "geniekey", "ssws", "pve", "pveapitoken":
		v.lo = skip(s, v.lo+len(scheme), " \t", 8)
		if !v.closed() {
			v.hi = bareEnd(s, v.lo)
		}
		if v.lo >= v.hi || hidden(s[v.lo:v.hi]) || !v.closed() && ordinary[strings.ToLower(s[v.lo:v.hi])] {
			return out
		}
	case "digest", "aws4-hmac-sha256", "aws4-ecdsa-p256-sha256", "oauth", "hmac", "sharedaccesssignature", "hoba", "signature", "mac":
		v.lo = skip(s, v.lo+len(scheme), " ", 4)
		if !v.closed() {
			v.hi = len(s)
		}
	default:
		if ofSentence(text, v.by) {
			return out
		}
	}
	return append(out, span{v.lo, v.hi, "authorization"})
}

// ofSentence reports whether the text after a header name is part of a sentence.
func ofSentence(text string, by given) bool {
	switch {
	case by == ownLine && strings.Contains(text, " "):
		return true
	case by == spaced && !tokenish(text) && !looksRandom(text, 12):
		return true
	}
	return ordinary[strings.ToLower(text)] || plainWord(text)
}

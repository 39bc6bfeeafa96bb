package redact

import (
	"net/url"
	"strings"
)

func urlClues() []clue {
	return []clue{
		{text: "://", find: findURL},
		{text: "%3a%2f%2f", find: func(l *Lines, s string, at, end int, out []span) []span { return l.encodedURL(s, at, out) }},
		{text: "?key=", find: findKeyParameter},
		{text: "&key=", find: findKeyParameter},
		{text: "?code=", find: findKeyParameter},
		{text: "&code=", find: findKeyParameter},
	}
}

const (
	maxURL       = 4000 // bytes of a URL that are checked
	maxAuthority = 1000 // bytes of user, password, host and port
)

// findURL redacts the password of a URL with "://" at the position, and parameters whose encoded value contains a
// secret.
func findURL(l *Lines, s string, at, end int, out []span) []span {
	authority := s[end:min(len(s), end+maxAuthority)]
	authority = authority[:until(authority, 0, "/?# \t\"'<>\\,")]
	if host := strings.LastIndexByte(authority, '@'); host > 0 {
		if from := secretInUser(s[:at], authority[:host]); from >= 0 {
			out = append(out, span{end + from, end + host, "url-password"})
		}
	} else if i := strings.IndexByte(authority, ':'); i >= 0 && i+1 < len(authority) && !isNumber(authority[i+1:]) {
		rest := s[end:min(len(s), end+maxAuthority)]
		if host := hostAfterPassword(rest[:until(rest, 0, " \t\"'<>\\")], i); host > 0 {
			out = append(out, span{end + i + 1, end + host, "url-password"})
		}
	}
	return l.encodedURL(s, at, out)
}

// secretInUser returns the start of the secret in user:password or a user alone, after the text before ://; -1: none.
func secretInUser(before, userinfo string) int {
	user, password, both := strings.Cut(userinfo, ":")
	switch {
	case !both && isUserSecret(before, user):
		return 0
	case !both, placeholder1(password):
		return -1
	case keyAsUser(user): // both are keys
		return 0
	}
	return len(user) + 1
}

// isUserSecret reports whether the user of a URL without a password is a secret.
func isUserSecret(before, user string) bool {
	isHex := strings.Trim(user, "0123456789abcdef") == ""
	if looksRandom(user, 20) || isHex && len(user) >= 32 {
		return true
	}
	return len(user) >= 6 && tokenScheme(before)
}

// hostAfterPassword returns the position of the @ after a password with a slash or a quote, which an address cannot
// contain; -1: there is none. The password follows the colon.
func hostAfterPassword(url string, colon int) int {
	host := strings.LastIndexByte(url, '@')
	if host <= colon || strings.Contains(url[:colon], "[") || strings.HasPrefix(url[host:], "@sha256:") {
		return -1
	}
	if strings.Count(url[:host], "/") >= 3 {
		return -1
	}
	return host
}

// keyAsUser reports whether the user part of a URL is a key.
func keyAsUser(user string) bool {
	return len(user) >= 20 && (looksRandom(user, 20) || strings.Trim(user, "0123456789abcdef") == "")
}

// tokenScheme reports whether URLs with the scheme have a secret as the user.
func tokenScheme(before string) bool {
	for _, scheme := range []string{"nats", "trojan", "ss", "vless", "hysteria2", "tuic"} {
		if strings.HasSuffix(before, scheme) && (len(before) == len(scheme) || !isLetter(before[len(before)-len(scheme)-1])) {
			return true
		}
	}
	return false
}

func placeholder1(v string) bool { return v == "" || hidden(v) || v[0] == '$' && placeholder(v) }

// encodedURL redacts URL parameters whose decoded value contains a secret.
func (l *Lines) encodedURL(s string, at int, out []span) []span {
	rest := s[at:min(len(s), at+maxURL)]
	rest = rest[:until(rest, 0, " \t\"'<>\\")]
	if l.decoding >= maxDecoding || !strings.ContainsAny(rest, "%+") {
		return out
	}
	from := strings.IndexByte(rest, '?')
	for from >= 0 && from < len(rest) {
		from++
		next := strings.IndexByte(rest[from:], '&')
		end := len(rest)
		if next >= 0 {
			end = from + next
		}
		lo := from + strings.IndexByte(rest[from:end], '=') + 1
		if lo > from && strings.ContainsAny(rest[lo:end], "%+") {
			if plain, err := url.QueryUnescape(rest[lo:end]); err == nil && (l.secretInside(plain) || strings.Contains(plain, "%") && l.secretInside(unescaped(plain))) {
				out = append(out, span{at + lo, at + end, "url-parameter"})
			}
		}
		if next < 0 {
			break
		}
		from = end
	}
	return out
}

// secretInside reports whether a decoded text contains a secret.
func (l *Lines) secretInside(plain string) bool {
	inner := Lines{redactor: l.redactor, decoding: l.decoding + 1}
	for line := range strings.Lines(plain) {
		if len(inner.spans(strings.TrimRight(line, "\r\n"))) > 0 {
			return true
		}
	}
	return inner.block == keyBlock && inner.odd == 0
}

// findKeyParameter redacts the value of a parameter that is a secret only in URLs.
func findKeyParameter(_ *Lines, s string, _, end int, out []span) []span {
	hi := until(s, end, "&# \t\"'<>\\")
	if v := s[end:hi]; len(v) >= 12 && looksRandom(v, 12) {
		return append(out, span{end, hi, "key"})
	}
	return out
}

package redact

import (
	"encoding/base64"
	"strings"
)

// toldInBase64 are words that make what holds them in base64 worth decoding.
var toldInBase64 = []string{"password", "passwd", "secret", "token", "PRIVATE KEY", "private_key", `"auths"`, `"auth"`, "api_key", "apikey", "access_key", "AccountKey", "credential", "bearer "}

// encodedClues are the base64 forms of those words: each at the three places where a word may start, without the letters
// that its neighbours share.
func encodedClues() []clue {
	var out []clue
	seen := map[string]bool{}
	for _, word := range toldInBase64 {
		for _, w := range []string{word, strings.ToUpper(word), strings.ToUpper(word[:1]) + word[1:]} {
			for shift := range 3 {
				text := base64.RawStdEncoding.EncodeToString([]byte("\x00\x00"[:shift] + w))
				text = text[[]int{0, 2, 3}[shift] : len(text)-[]int{0, 1, 1}[(shift+len(w))%3]]
				if len(text) >= 6 && !seen[text] {
					seen[text] = true
					out = append(out, clue{text: text, exact: true, find: findEncoded})
				}
			}
		}
	}
	return out
}

// findEncoded hides the base64 text around the place, if it holds a secret.
func findEncoded(l *Lines, s string, at, end int, out []span) []span {
	if l.decoding {
		return out
	}
	lo, hi := at, end
	for lo > 0 && at-lo < maxEncoded && isBase64(s[lo-1]) && !escape(s, lo) {
		lo--
	}
	for hi < len(s) && hi-end < maxEncoded && isBase64(s[hi]) {
		hi++
	}
	for from := max(lo, at-200); from < at; from++ { // a path may stand before it
		if strings.IndexByte("/=+", s[from]) >= 0 {
			if l.holdsSecret(s[from+1 : hi]) {
				lo = from + 1
				break
			}
		}
	}
	pad := skip(s, hi, "=", 2)
	if inside(out, lo) {
		return out
	}
	if l.holdsSecret(s[lo:hi]) {
		return append(out, span{lo, pad, "encoded"})
	}
	return out
}

const maxEncoded = 16 << 10 // bytes of base64 that are decoded

func isBase64(c byte) bool { return isWord(c) || c == '+' || c == '/' || c == '-' || c == '_' }

// holdsSecret decodes a text and looks for secrets in it.
func (l *Lines) holdsSecret(text string) bool {
	text = strings.NewReplacer("-", "+", "_", "/").Replace(text)
	for skip := range 4 {
		if skip > len(text) {
			return false
		}
		part := text[skip:]
		part = part[:len(part)-boolInt(len(part)%4 == 1)]
		plain, err := base64.RawStdEncoding.DecodeString(part)
		if err != nil {
			continue
		}
		printable := 0
		for _, c := range plain {
			if c >= ' ' && c < 0x7f || c == '\n' || c == '\r' || c == '\t' {
				printable++
			}
		}
		if printable >= len(plain)-3 && l.secretInside(string(plain)) {
			return true
		}
	}
	return false
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

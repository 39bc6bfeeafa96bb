package redact

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// toldInBase64 are words that indicate a secret in a decoded base64 text.
var toldInBase64 = []string{"password", "passwd", "secret", "token", "PRIVATE KEY", "private_key", `"auths"`, `"auth"`, "api_key", "apikey", "access_key", "AccountKey", "credential", "bearer "}

// encodedClues returns the base64 forms of these words, for the three alignments, without the letters that depend on
// their neighbours.
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
	for c := range 128 {
		if !isWord(byte(c)) && byte(c) != '-' && byte(c) != '_' {
			out = append(out, clue{text: fmt.Sprintf("%%%02x", c), find: findPercent})
		}
	}
	return append(out, clue{text: "LS0tLS1CRUdJTi", exact: true, find: findEncodedKey})
}

// findEncodedKey redacts the base64 of a private key, and its continuation in the next lines.
func findEncodedKey(l *Lines, s string, at, end int, out []span) []span {
	hi := end
	for hi < len(s) && isBase64(s[hi]) {
		hi++
	}
	head := s[at:min(hi, at+80)]
	plain, err := base64.RawStdEncoding.DecodeString(head[:len(head)/4*4])
	if err != nil || !strings.Contains(string(plain), "PRIVATE KEY") {
		return out
	}
	pad := skip(s, hi, "=", 2)
	if pad == hi && len(strings.TrimRight(s[hi:], " \t\r")) == 0 {
		l.block, l.odd = keyBlock, maxOdd
	}
	return append(out, span{at, pad, "private-key"})
}

// findEncoded redacts the base64 text around the position if it contains a secret.
func findEncoded(l *Lines, s string, at, end int, out []span) []span {
	if l.decoding >= maxDecoding {
		return out
	}
	lo, hi := at, end
	for lo > 0 && at-lo < maxEncoded && isBase64(s[lo-1]) && !escape(s, lo) {
		lo--
	}
	for hi < len(s) && hi-end < maxEncoded && isBase64(s[hi]) {
		hi++
	}
	for from := max(lo, at-200); from < at; from++ { // a path may be before it
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

// isBase64 reports whether a byte is in the alphabet of base64 or of base64url.
func isBase64(c byte) bool { return isStandardBase64(c) || c == '-' || c == '_' }

func isStandardBase64(c byte) bool { return isWord(c) || c == '+' || c == '/' }

// runMemory is the decoded part of a line, so that each part is decoded once.
type runMemory struct{ percent int }

const (
	maxDecoding = 2  // nested encodings
	minRun      = 20 // letters of base64 that are decoded without a clue
	maxPercent  = 16 << 10
	storageKey  = 86 // letters for 64 bytes: a storage account key
	cephKey     = 38 // for 28 bytes: type, time, length and key
)

// base64Run returns the next sequence of letters and digits at or after from. It checks every minRun-th byte because
// each sequence covers one. In base64 of ASCII, + and / occur only for ? ~ and >.
func base64Run(s string, from int) (lo, hi int) {
	for i := from + minRun - 1; i < len(s); i += minRun {
		if !wordBytes[s[i]] {
			continue
		}
		lo = i
		for least := max(from, i-minRun); lo > least && wordBytes[s[lo-1]]; lo-- {
		}
		if lo+minRun > len(s) || !wordBytes[s[lo+minRun-1]] { // most are too short
			continue
		}
		for hi = i + 1; hi < len(s) && wordBytes[s[hi]]; hi++ {
		}
		if hi-lo >= minRun && mixedRun(s[lo:min(hi, lo+200)]) {
			return lo, hi
		}
		i = hi - 1 - (hi-1-i)%minRun // on the grid, at or before its end
	}
	return 0, 0
}

// wordBytes are letters and digits.
var wordBytes = func() (out [256]bool) {
	for c := range out {
		out[c] = isWord(byte(c))
	}
	return out
}()

// mixedRun distinguishes base64 of a text from paths, digests and names: it has capitals, and more than letters.
func mixedRun(s string) bool {
	upper, lower := 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case isUpper(c):
			upper++
		case isLower(c):
			lower++
		}
	}
	return upper >= len(s)/8 && upper+lower < len(s)
}

// base64Runs redacts the base64 sequences of the line that contain a secret.
func (l *Lines) base64Runs(s string, out []span) []span {
	for from := 0; ; {
		lo, hi := base64Run(s, from)
		if hi == 0 {
			return out
		}
		if !inside(out, lo) && !strings.HasPrefix(s[max(0, lo-1):], tagStart) {
			out = dotted(s, lo, hi, findEncoded(l, s, lo, lo+1, out))
		}
		from = hi
	}
}

// unescaped returns the text without percent-encoding, which may be nested twice.
func unescaped(s string) string {
	for range 3 {
		plain, err := url.PathUnescape(s)
		if err != nil || plain == s {
			return s
		}
		s = plain
	}
	return s
}

// dottedToken matches a Discord bot token: its number, a time and a signature.
var dottedToken = lazyregexp.New(`^[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}`)

const maxDotted = 80 // bytes of such a token before a sequence

// dotted redacts the three-part token around the sequence.
func dotted(s string, lo, hi int, out []span) []span {
	if !strings.Contains(s[max(0, lo-maxDotted):min(len(s), hi+maxDotted)], ".") {
		return out
	}
	from := lo
	for from > 0 && lo-from < maxDotted && (isWord(s[from-1]) || strings.IndexByte("_-.", s[from-1]) >= 0) {
		from--
	}
	if m := dottedToken.FindStringIndex(s[from:min(len(s), hi+2*maxDotted)]); m != nil {
		return append(out, span{from, from + m[1], "token"})
	}
	return out
}

// padding is the end of base64 of 64 bytes and of 28 bytes: keys of storage accounts and of Ceph.
const padding = "=="

// storageKeys redacts such keys. Digests with that length have a prefix.
func storageKeys(s string, out []span) []span {
	for from := 0; ; {
		i := strings.Index(s[from:], padding)
		if i < 0 {
			return out
		}
		hi := from + i
		lo := hi
		for lo > 0 && hi-lo <= storageKey && isStandardBase64(s[lo-1]) && !escape(s, lo) {
			lo--
		}
		ceph := hi-lo == cephKey && strings.HasPrefix(s[lo:], "AQ")
		if ceph || hi-lo == storageKey && mixedRun(s[lo:hi]) && !strings.HasSuffix(s[:lo], "sha512-") {
			out = append(out, span{lo, hi + len(padding), "key"})
		}
		from = hi + len(padding)
	}
}

// findPercent redacts the percent-encoded text around the position if it contains a secret.
func findPercent(l *Lines, s string, at, end int, out []span) []span {
	if l.decoding >= maxDecoding || at < l.runs.percent {
		return out
	}
	lo := at
	for lo > 0 && at-lo < maxPercent && strings.IndexByte(" \t\"'<>\\", s[lo-1]) < 0 {
		lo--
	}
	hi := at + until(s[at:min(len(s), at+maxPercent)], 0, " \t\"'<>\\")
	l.runs.percent = hi
	run := s[lo:hi]
	if first := strings.IndexByte(run, '%'); first > 0 { // the text before the encoded part stays
		name := strings.LastIndexAny(run[:first], "?&") + 1
		if sign := strings.IndexByte(run[name:first], '='); sign >= 0 {
			lo += name + sign + 1
		}
	}
	if strings.Contains(run, "://") { // its parameters are decoded one by one
		return out
	}
	plain := unescaped(s[lo:hi])
	if plain != s[lo:hi] && (l.secretInside(plain) || strings.Contains(plain, "+") && l.secretInside(strings.ReplaceAll(plain, "+", " "))) {
		return append(out, span{lo, hi, "encoded"})
	}
	return out
}

// holdsSecret reports whether the decoded text contains a secret.
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
			switch {
			case c >= ' ' && c < 0x7f, c == '\n', c == '\r', c == '\t', c == 0:
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

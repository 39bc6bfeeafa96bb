package evidence

import (
	"strings"

	"github.com/nodetriage/nodetriage/lazyregexp"
)

// secretWord ends the name of a field, flag or variable that holds a secret.
type secretWord struct {
	word string // lower case
	kind string
	// after are the words of which one must stand before it, with or without a dash; a bare "key" is none: it is
	// how controllers log the object they work on.
	after []string
	spare func(value string) bool
	flag  func(value string) bool // spare for the value of a flag, which may be a word of a sentence
}

var secretWords = []secretWord{
	{"password", "password", nil, unset, unset},
	{"passwd", "password", nil, unset, unset},
	{"passphrase", "password", nil, unset, unset},
	{"pwd", "password", nil, unset, unset},
	{"key", "password", []string{"api", "access", "account", "private", "secret", "client", "shared", "signing", "encryption", "subscription", "ssh"}, unset, unset},
	{"client-key-data", "password", nil, unset, unset},
	{"client-certificate-data", "password", nil, unset, unset},
	{"signature", "password", []string{"access"}, unset, unset},
	{"dockerconfigjson", "password", nil, unset, unset},
	// These may also name an object that holds the secret.
	{"secret", "token", nil, harmless, harmlessWord},
	{"token", "token", nil, harmless, harmlessWord},
	{"credential", "token", nil, harmless, harmlessWord},
	{"credentials", "token", nil, harmless, harmlessWord},
}

// nameOfSecret returns the word that makes a JSON key the name of a secret, or nil.
func nameOfSecret(key string) *secretWord {
	if key == "auth" { // of a registry, in the configuration of Docker
		return &secretWords[0]
	}
	lower := asciiLower(key)
	for i := range secretWords {
		if w := &secretWords[i]; strings.HasSuffix(lower, w.word) && w.qualified(lower[:len(lower)-len(w.word)]) {
			return w
		}
	}
	return nil
}

// qualified reports whether what stands before the word lets it name a secret.
func (w *secretWord) qualified(before string) bool {
	if w.after == nil {
		return true
	}
	before = strings.TrimRight(before, "-_. ")
	for _, q := range w.after {
		if strings.HasSuffix(before, q) {
			return true
		}
	}
	return false
}

// in reports whether the word, as the name of a secret, stands in a text.
func (w *secretWord) in(lower string) bool {
	for from := 0; ; {
		i := strings.Index(lower[from:], w.word)
		if i < 0 {
			return false
		}
		if w.qualified(lower[:from+i]) {
			return true
		}
		from += i + len(w.word)
	}
}

// assignments replaces the passwords of URLs, and the values that a line gives to names of secrets: name=value, name: "value",
// --name value, and lines of YAML and INI.
func (r *Redactor) assignments(s, lower string) (string, string) {
	s, lower = r.at("url-password", "://", s, lower, func(at int) (int, int) { return urlPassword(s, at) })
	for i := range secretWords {
		w := &secretWords[i]
		s, lower = r.at(w.kind, w.word, s, lower, func(at int) (int, int) {
			if !w.qualified(lower[:at]) {
				return 0, 0
			}
			lo, hi, flag := valueAfter(s, at, at+len(w.word))
			if lo >= hi || !flag && w.spare(s[lo:hi]) || flag && w.flag(s[lo:hi]) {
				return 0, 0
			}
			return lo, hi
		})
	}
	return s, lower
}

// valueAfter finds the value of the name that ends before end; word is where its last word starts.
func valueAfter(s string, word, end int) (lo, hi int, flag bool) {
	p := skip(s, end, "\\", 8)
	if p < len(s) && (s[p] == '"' || s[p] == '\'') {
		p++
	} else if p > end {
		return 0, 0, false
	}
	name := max(0, word-maxName)
	name += strings.LastIndexAny(s[name:word], " \t") + 1
	if p == end && strings.HasPrefix(s[name:], "-") && p < len(s) && (s[p] == ' ' || s[p] == '\t') {
		lo = skip(s, p, " \t", 8)
		return lo, until(s, lo, stops), true
	}
	p = skip(s, p, " ", 3)
	if p >= len(s) || s[p] != ':' && s[p] != '=' {
		return 0, 0, false
	}
	tight := s[p] == '=' && p == end
	p = skip(s, p+1, " ", 3)
	quote := skip(s, p, "\\", 8)
	if quote < len(s) && s[quote] == '"' {
		lo = quote + 1
		hi = lo
		for hi < len(s) && s[hi] != '"' && !(s[hi] == '\\' && strings.HasPrefix(strings.TrimLeft(s[hi:], "\\"), `"`)) {
			hi++
		}
		return lo, hi, false
	}
	if tight {
		return p, until(s, p, stops), false
	}
	// A line of its own, not part of a sentence.
	if strings.Trim(s[:name], " -") != "" || name < word && strings.ContainsAny(s[name:word], "=:") {
		return 0, 0, false
	}
	rest := strings.TrimRight(s[p:], " \r")
	if strings.HasPrefix(rest, "'") {
		p, rest = p+1, strings.TrimSuffix(rest[1:], "'")
	}
	if strings.ContainsAny(rest, " \t") {
		return 0, 0, false
	}
	return p, p + len(rest), false
}

// maxName bounds how far in front of its last word a name may start.
const maxName = 100

// urlPassword finds the password of a URL whose "://" is at that place.
func urlPassword(s string, at int) (lo, hi int) {
	at += len("://")
	authority := s[at:min(len(s), at+maxAuthority)]
	authority = authority[:until(authority, 0, "/?# \t\"'<>\\")]
	end := strings.LastIndexByte(authority, '@')
	colon := strings.IndexByte(authority, ':')
	if colon < 0 || end < colon || redacted(authority[colon+1:end]) {
		return 0, 0
	}
	return at + colon + 1, at + end
}

const maxAuthority = 1000 // bytes of user, password, host and port

// stops end a value that is not quoted.
const stops = " \t\"'\\,;&<>()]}"

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

// unset tells values that say that there is no secret here, and structures and references whose parts are
// looked at on their own.
func unset(v string) bool {
	if redacted(v) || strings.IndexByte("{[<$|>", v[0]) >= 0 {
		return true
	}
	switch asciiLower(v) {
	case "nil", "null", "none", "true", "false", "unknown":
		return true
	}
	return false
}

// harmless tells values that name a secret instead of being one: a path, a namespace and a name, a number of
// some setting.
func harmless(v string) bool {
	return unset(v) || v[0] == '/' || objectName.MatchString(v) || len(v) < 5 && strings.Trim(v, "0123456789") == ""
}

var objectName = lazyregexp.New(`^[a-z0-9-]{1,63}/[a-z0-9.-]{1,253}$`)

// harmlessWord is harmless, or a word of a sentence, or the next flag.
func harmlessWord(v string) bool {
	return harmless(v) || v[0] == '-' || strings.Trim(v, "abcdefghijklmnopqrstuvwxyz.:") == ""
}

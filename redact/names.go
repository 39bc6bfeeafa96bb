package redact

import "strings"

// name is a word that ends the name of a field, flag, variable or header that holds a secret.
type name struct {
	word string // lower case
	kind string
	// after are the words of which one must stand before it, with or without a dash; nil: none must. A bare "key" is none:
	// it is how controllers log the object they work on.
	after []string
	whole bool // no letter stands before it: "pass", but not "bypass"
	weak  bool // may also name an object that holds the secret, so that the value must look like one
	line  bool // the value goes to the end of its line or quote: cookies
}

var names = []name{
	{word: "password", kind: "password"},
	{word: "passwd", kind: "password"},
	{word: "passphrase", kind: "password"},
	{word: "passcode", kind: "password"},
	{word: "passwort", kind: "password"},
	{word: "pwd", kind: "password"},
	{word: "pass", kind: "password", whole: true},
	{word: "psk", kind: "password", whole: true},
	{word: "otp", kind: "password", whole: true, weak: true},
	{word: "mnemonic", kind: "password", line: true},
	{word: "community", kind: "password", after: []string{"snmp", "ro", "rw"}},

	{word: "key", kind: "key", after: []string{
		"api", "access", "account", "private", "secret", "client", "shared", "signing", "encryption", "subscription", "ssh", "auth",
		"app", "application", "master", "storage", "functions", "deploy", "admin", "service", "integration", "webhook", "hmac", "consumer",
		"primary", "secondary", "preshared", "unseal", "recovery", "certificate", "license", "x-functions", "decryption", "instrumentation", "write", "routing", "zone",
	}},
	{word: "client-key-data", kind: "key"},
	{word: "client-certificate-data", kind: "key"},
	{word: "keydata", kind: "key", after: []string{"client", "private"}},
	{word: "signature", kind: "signature", after: []string{"access", "amz", "goog", "hub", "shared"}},
	{word: "dockerconfigjson", kind: "registry-auth"},
	{word: "dockercfg", kind: "registry-auth"},

	{word: "secret", kind: "secret", after: []string{"client", "app", "application", "consumer", "webhook", "jwt", "signing", "session", "oauth", "hmac", "shared", "api", "auth", "totp", "storage", "tenant"}},
	{word: "secret", kind: "secret", weak: true},
	{word: "secretkey", kind: "key"},
	{word: "secret_key_base", kind: "key"},
	{word: "token", kind: "token", after: []string{"access", "refresh", "id", "auth", "session", "security", "bearer", "bot", "csrf", "xsrf", "api", "sas", "root", "personal", "vault", "deploy", "runner", "registry", "identity", "join", "oauth", "admin", "npm", "login"}},
	{word: "token", kind: "token", weak: true},
	{word: "credential", kind: "token", weak: true},
	{word: "credentials", kind: "token", weak: true},
	{word: "jwt", kind: "token", whole: true, weak: true},
	{word: "auth", kind: "registry-auth", whole: true, weak: true},
	{word: "requirepass", kind: "password"},
	{word: "masterauth", kind: "password"},

	{word: "authorization", kind: "authorization"},
	{word: "cookie", kind: "cookie", line: true},
	{word: "sessionid", kind: "cookie"},
	{word: "sessid", kind: "cookie"},
	{word: "connect.sid", kind: "cookie"},
}

func nameClues() []clue {
	var out []clue
	seen := map[string]bool{}
	for i := range names {
		word := names[i].word
		if seen[word] {
			continue // the first of a word that is qualified decides
		}
		seen[word] = true
		out = append(out, clue{text: word, find: findNamed})
	}
	return out
}

// findNamed hides the value of the name that ends with s[at:end].
func findNamed(l *Lines, s string, at, end int, out []span) []span {
	n := nameAt(s, at, end)
	if n == nil {
		return out
	}
	from := at
	for from > 0 && at-from < maxName && isNameByte(s[from-1]) {
		from--
	}
	v, ok := valueAfter(s, from, end)
	if !ok {
		return out
	}
	if n.word == "authorization" {
		return authorization(s, v, out)
	}
	if n.line {
		v = v.toEnd(s)
		if n.kind == "cookie" && (!strings.Contains(s[v.lo:v.hi], "=") || placeholder(s[v.lo:v.hi])) {
			return out
		}
	}
	if v.lo < v.hi && isScalarMark(s[v.lo:v.hi]) && v.hi == len(strings.TrimRight(s, " \t\r")) {
		if !n.weak {
			l.block, l.indent = scalarBlock, depth(s)
		}
		return out
	}
	if v.lo >= v.hi || n.spares(v, s) {
		return out
	}
	return append(out, span{v.lo, v.hi, n.kind})
}

// maxName bounds how far in front of its last word a name may start.
const maxName = 100

func isNameByte(c byte) bool { return isWord(c) || c == '_' || c == '-' || c == '.' }

func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// nameAt is the name that the word s[at:end] ends, or nil.
func nameAt(s string, at, end int) *name {
	word := s[at:end]
	for i := range names {
		n := &names[i]
		if len(n.word) == len(word) && hasPrefixFold(word, n.word) && n.qualified(s, at) {
			return n
		}
	}
	return nil
}

// qualified reports whether what stands before the word at that place lets it name a secret.
func (n *name) qualified(s string, at int) bool {
	if n.whole && at > 0 && isLetter(s[at-1]) && !(isUpper(s[at]) && isLower(s[at-1])) {
		return false
	}
	if n.after == nil {
		return true
	}
	before := s[max(0, at-24):at]
	trimmed := strings.TrimRight(before, "-_. ")
	if len(before)-len(trimmed) > 2 {
		return false
	}
	for _, q := range n.after {
		if hasSuffixFold(trimmed, q) {
			if len(q) > 3 || len(trimmed) == len(q) {
				return true
			}
			c := trimmed[len(trimmed)-len(q)-1] // short ones are whole words: "app", not "wrap"
			if !isLetter(c) || isUpper(trimmed[len(trimmed)-len(q)]) && isLower(c) {
				return true
			}
		}
	}
	return false
}

func isLetter(c byte) bool { return isUpper(c) || isLower(c) }
func isUpper(c byte) bool  { return 'A' <= c && c <= 'Z' }
func isLower(c byte) bool  { return 'a' <= c && c <= 'z' }

// nameOfKey is the name that a key of JSON ends with, or nil.
func nameOfKey(key string) *name {
	body := strings.TrimRight(key, "0123456789_")
	for _, suffix := range nameSuffixes {
		if hasSuffixFold(body, suffix) && len(body) > len(suffix) {
			if n := nameEnding(body[:len(body)-len(suffix)]); n != nil {
				return n
			}
		}
	}
	return nameEnding(body)
}

func nameEnding(key string) *name {
	for i := range names {
		n := &names[i]
		if hasSuffixFold(key, n.word) && n.qualified(key, len(key)-len(n.word)) {
			return n
		}
	}
	return nil
}

// nameSuffixes may follow the word in a name that still means the secret itself.
var nameSuffixes = []string{"s", "_data", "-data", "data", "_value", "value", "_base64", "base64", "_b64", "_plain", "_prod", "_dev", "_staging", "_old", "_new", "_primary", "_secondary"}

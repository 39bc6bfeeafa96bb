package redact

import "strings"

// name is the last word in the name of a field, flag, variable or header that contains a secret.
type name struct {
	word string // lower case
	kind string
	// after are required words before it, one is enough, with or without a dash; nil: none required. A bare "key" does not
	// count: controllers log the object that they process as key.
	after  []string
	not    []string // words that must not precede it: "bypass", "public key"
	whole  bool     // no letter before it: "psk", but not "upsk"
	joined bool     // another part of the same name before it
	weak   bool     // may also name an object with the secret, so the value must look like a secret
	line   bool     // the value extends to the end of its line or quote: cookies
}

var names = []name{
	{word: "password", kind: "password"},
	{word: "passwd", kind: "password"},
	{word: "passphrase", kind: "password"},
	{word: "pass_phrase", kind: "password"},
	{word: "passcode", kind: "password"},
	{word: "passwort", kind: "password"},
	{word: "kennwort", kind: "password"},
	{word: "contrasena", kind: "password"},
	{word: "pwd", kind: "password"},
	{word: "pass", kind: "password", not: []string{"by", "com", "tres", "sur", "over", "under", "im", "multi", "last", "proxy_", "fastcgi_", "uwsgi_", "scgi_", "grpc_", "memcached_"}},
	{word: "pw", kind: "password", after: []string{"bind", "root", "user", "admin", "ldap", "db", "_", "-", ".", "sa", "login", "smtp", "mail", "ftp", "key", "store", "cifs", "service"}},
	{word: "psk", kind: "password", whole: true},
	{word: "pin", kind: "password", whole: true, weak: true},
	{word: "otp", kind: "password", whole: true, weak: true},
	{word: "mnemonic", kind: "password", line: true},
	{word: "phrase", kind: "password", after: []string{"seed", "recovery", "secret", "backup"}, line: true},
	{word: "community", kind: "password", after: []string{"snmp", "ro", "rw"}},

	{word: "key", kind: "key", after: []string{
		"api", "access", "account", "private", "secret", "client", "shared", "signing", "encryption", "subscription", "ssh", "auth",
		"app", "application", "master", "storage", "functions", "deploy", "admin", "service", "integration", "webhook", "hmac", "consumer",
		"primary", "secondary", "preshared", "unseal", "recovery", "certificate", "license", "x-functions", "decryption", "instrumentation", "write", "routing", "zone",
		"pass", "crypt", "cipher", "aes", "des", "rsa", "ecdsa", "session", "cookie", "jwt", "token", "user", "workspace", "fernet", "gossip", "vapid", "hec", "ws",
	}},
	{word: "key", kind: "key", joined: true, weak: true, not: []string{"public", "pub", "cache", "object", "partition", "idempotency", "topology", "label", "toleration", "taint", "sort", "lookup", "registry", "annotation", "map", "config"}},
	{word: "client-key-data", kind: "key"},
	{word: "client-certificate-data", kind: "key"},
	{word: "keydata", kind: "key", after: []string{"client", "private"}},
	{word: "client_content", kind: "key"},
	{word: "file_content", kind: "key", after: []string{"principal"}},
	{word: "encrypt", kind: "key", after: []string{"gossip"}},
	{word: "signature", kind: "signature", after: []string{"access", "amz", "goog", "hub", "shared"}},
	{word: "signature-256", kind: "signature", after: []string{"hub"}},
	{word: "dockerconfigjson", kind: "registry-auth"},
	{word: "dockercfg", kind: "registry-auth"},
	{word: "registry-auth", kind: "registry-auth"},
	{word: "art-api", kind: "key"},

	{word: "secret", kind: "secret", after: []string{"client", "app", "application", "consumer", "webhook", "jwt", "signing", "session", "oauth", "hmac", "shared", "api", "auth", "totp", "storage", "tenant", "cookie", "rpc", "accesskey"}},
	{word: "secret", kind: "secret", weak: true},
	{word: "secretkey", kind: "key"},
	{word: "secret_key_base", kind: "key"},
	{word: "secretstring", kind: "secret"},
	{word: "secretid", kind: "secret", weak: true},
	{word: "secret_id", kind: "secret", weak: true},
	{word: "secret id", kind: "secret", weak: true},
	{word: "token", kind: "token", after: []string{"access", "refresh", "id", "auth", "session", "security", "bearer", "bot", "csrf", "xsrf", "api", "sas", "root", "personal", "vault", "deploy", "runner", "registry", "identity", "join", "oauth", "admin", "npm", "login", "private", "metadata", "agent"}, not: []string{"unexpected", "illegal"}},
	{word: "token", kind: "token", weak: true, not: []string{"unexpected", "illegal", "request", "next", "continue", "page", "pagination", "idempotency", "cancellation", "fencing"}},
	{word: "credential", kind: "token", weak: true},
	{word: "credentials", kind: "token", weak: true},
	{word: "creds", kind: "token", weak: true},
	{word: "jwt", kind: "token", whole: true, weak: true},
	{word: "samlresponse", kind: "token"},
	{word: "auth", kind: "registry-auth", whole: true, weak: true},
	{word: "requirepass", kind: "password"},
	{word: "masterauth", kind: "password"},
	{word: "_pat", kind: "token", weak: true},

	{word: "authorization", kind: "authorization"},
	{word: "cookie", kind: "cookie", line: true},
	{word: "sessionid", kind: "cookie"},
	{word: "sessid", kind: "cookie"},
	{word: "connect.sid", kind: "cookie"},
}

// byWord are the names by last word, in order.
var byWord = func() map[string][]*name {
	out := map[string][]*name{}
	for i := range names {
		out[names[i].word] = append(out[names[i].word], &names[i])
	}
	return out
}()

func nameClues() []clue {
	var out []clue
	for i := range names {
		word := names[i].word
		list := byWord[word]
		if list[0] != &names[i] {
			continue
		}
		for _, text := range nameTexts(word) {
			out = append(out, clue{text: text, find: func(l *Lines, s string, at, _ int, out []span) []span {
				return findNamed(l, s, at, at+len(word), list, out)
			}})
		}
	}
	return out
}

// nameTexts returns the clues for a word. A word of two letters includes the character after a name.
func nameTexts(word string) []string {
	if len(word) > 2 {
		return []string{word}
	}
	var out []string
	for _, end := range []string{"=", ":", "\"", "'", " ", "\\"} {
		out = append(out, word+end)
	}
	return out
}

// findNamed redacts the value of the name that ends with s[at:end].
func findNamed(l *Lines, s string, at, end int, list []*name, out []span) []span {
	n := qualifiedOf(list, s, at)
	if n == nil {
		return out
	}
	from := nameStart(s, at)
	v, ok := valueAfter(s, from, end)
	if ok && n.word == "authorization" {
		return authorization(s, v, out)
	}
	if ok && n.line {
		v = v.toEnd(s)
		if n.kind == "cookie" && !isCookie(v.text(s)) {
			return out
		}
	}
	switch text := v.text(s); {
	case !ok, text == "", text == `\`:
		l.expect(s, n, from, afterSuffix(s, end))
	case isScalarMark(text) && v.hi == len(strings.TrimRight(s, " \t\r")):
		if !n.weak || n.word == "token" {
			head, _ := logHead(s)
			l.open(scalarBlock, indentOf(s[min(head, from):from]))
		}
	case !n.spares(v, s):
		out = append(out, span{v.lo, v.hi, n.kind})
	}
	return out
}

// text returns the value, or "" if nothing follows its name.
func (v value) text(s string) string {
	if v.lo >= v.hi {
		return ""
	}
	return s[v.lo:v.hi]
}

func isCookie(text string) bool { return strings.Contains(text, "=") && !placeholder(text) }

// maxName bounds the length of a name before its last word.
const maxName = 100

// nameStart returns the start of the name whose last word is at the position.
func nameStart(s string, at int) int {
	from := at
	for from > 0 && at-from < maxName && isNameByte(s[from-1]) {
		from--
	}
	return from
}

func isNameByte(c byte) bool { return isWord(c) || c == '_' || c == '-' || c == '.' }

func isWord(c byte) bool {
	lower := c | 0x20
	return 'a' <= lower && lower <= 'z' || '0' <= c && c <= '9'
}

// qualifiedOf returns the first of the names that the text before the position allows, or nil.
func qualifiedOf(list []*name, s string, at int) *name {
	for _, n := range list {
		if n.qualified(s, at) {
			return n
		}
	}
	return nil
}

// withinWord reports whether the position is inside a word. In mixed case a capital starts a new word.
func withinWord(s string, at int) bool {
	begins := isUpper(s[at]) && isLower(s[at-1])
	return isLetter(s[at-1]) && !begins
}

// withoutJoints removes the separators at the end of a name.
func withoutJoints(s string) string {
	for s != "" {
		switch s[len(s)-1] {
		case '-', '_', '.', ' ':
			s = s[:len(s)-1]
		default:
			return s
		}
	}
	return s
}

// qualified reports whether the text before the word makes it the name of a secret.
func (n *name) qualified(s string, at int) bool {
	switch {
	case n.whole && at > 0 && withinWord(s, at):
		return false
	case n.joined && !joined(s, at):
		return false
	case n.after == nil && n.not == nil:
		return true
	}
	p := precedingOf(s, at)
	switch {
	case n.after == nil:
		return !isLower(p.last) || !p.endsWithAny(n.not)
	case len(p.text)-len(p.trimmed) > maxJoints || p.endsWithAny(n.not):
		return false
	}
	return p.qualifies(n.after)
}

// maxJoints bounds the separators between the required word and the last word of a name.
const maxJoints = 2

// preceding is the text before the last word of a name.
type preceding struct {
	text    string // up to 24 bytes
	trimmed string // without the separators at its end
	last    byte   // the last of trimmed, in lower case; 0: none
}

func precedingOf(s string, at int) preceding {
	p := preceding{text: s[max(0, at-24):at]}
	if p.trimmed = withoutJoints(p.text); p.trimmed != "" {
		p.last = p.trimmed[len(p.trimmed)-1] | 0x20
	}
	return p
}

func (p *preceding) endsWith(word string) bool {
	return word[len(word)-1] == p.last && hasSuffixFold(p.trimmed, word)
}

func (p *preceding) endsWithAny(words []string) bool {
	for _, w := range words {
		if p.endsWith(w) || hasSuffixFold(p.text, w) {
			return true
		}
	}
	return false
}

// qualifies reports whether one of the words, or of the separators among them, is at the end.
func (p *preceding) qualifies(words []string) bool {
	for _, w := range words {
		if !isLetter(w[0]) {
			if strings.HasSuffix(p.text, w) {
				return true
			}
			continue
		}
		if p.endsWith(w) && (len(w) > 3 || p.isWhole(len(w))) {
			return true
		}
	}
	return false
}

// isWhole reports whether the last n bytes are a whole word: "app", but not in "wrap".
func (p *preceding) isWhole(n int) bool {
	if len(p.trimmed) == n {
		return true
	}
	before, first := p.trimmed[len(p.trimmed)-n-1], p.trimmed[len(p.trimmed)-n]
	return !isLetter(before) || isUpper(first) && isLower(before)
}

// joined reports whether another part of the same name is before the word.
func joined(s string, at int) bool {
	if at < 2 {
		return false
	}
	c := s[at-1]
	if c == '_' || c == '-' || c == '.' {
		return isWord(s[at-2])
	}
	return isLetter(c) && isUpper(s[at])
}

func isLetter(c byte) bool { return isUpper(c) || isLower(c) }
func isUpper(c byte) bool  { return 'A' <= c && c <= 'Z' }
func isLower(c byte) bool  { return 'a' <= c && c <= 'z' }

// nameOfKey returns the name at the end of a JSON key, or nil.
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

// nameSuffixes may follow the word in a name that still means the secret.
var nameSuffixes = []string{"s", "_data", "-data", "data", "_value", "value", "_base64", "base64", "_b64", "_plain", "_prod", "_dev", "_staging", "_old", "_new", "_primary", "_secondary"}

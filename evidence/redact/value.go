package redact

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// spares reports whether the value of the name is not a secret.
func (n *name) spares(v value, s string) bool {
	text := s[v.lo:v.hi]
	switch {
	case placeholder(text), requestFailed.MatchString(s[v.lo:]), longFlag.MatchString(text):
		return true
	case n.weak:
		return n.harmless(v, s)
	case isPath(text):
		return true
	case n.word == "pass":
		return testResult(s, v) || v.isCount(text) || v.isWord(s, text)
	case n.kind == "key" && v.inText() && plainWord(text):
		return true
	}
	return v.isWord(s, text)
}

var (
	// requestFailed matches the text of a failed request after its purpose: "failed to fetch oauth token: Post "https://..."" (Go
	// net/url Error).
	requestFailed = lazyregexp.New(`^(?:Get|Head|Post|Put|Patch|Delete|Options) \\{0,3}"https?://`)
	// longFlag matches the flag of a command, which sentences tell the user to pass.
	longFlag = lazyregexp.New(`^--[a-z]{3,}(?:-[a-z]{2,}){0,5}$`)
)

// inText reports whether the value may be prose.
func (v value) inText() bool { return v.by == spaced || v.by == ownLine || v.by == said }

// isCount reports whether the value after "pass" in a setting is not a password: a number of tests, an address.
func (v value) isCount(text string) bool {
	if v.by != tight && v.by != quoted {
		return false
	}
	return isNumber(text) || strings.Contains(text, "://") || strings.HasPrefix(text, "unix:")
}

// isWord reports whether the value is a word of a sentence, or the next flag.
func (v value) isWord(s, text string) bool {
	switch v.by {
	case flagged:
		return text[0] == '-' || isOrdinary(text) || sentenceGoesOn(s, v) && plainWord(text)
	case spaced:
		return isOrdinary(text) || sentenceGoesOn(s, v) && plainWord(text)
	case said:
		inQuotes := strings.IndexByte("\"'`", s[v.lo-1]) >= 0
		return isOrdinary(text) || !inQuotes && wordOfSentence(text)
	case ownLine:
		first, rest, _ := strings.Cut(text, " ")
		size := strings.TrimSpace(rest) == "bytes" && isNumber(first)
		return size || ordinary[strings.ToLower(strings.TrimRight(first, ".,;:"))]
	}
	return false
}

// isOrdinary reports whether the text is a word of sentences about secrets.
func isOrdinary(text string) bool { return ordinary[strings.ToLower(strings.Trim(text, ".,;:!?()"))] }

// wordOfSentence reports whether the text after a name in a sentence is not a secret: a word, a number, an option, a
// pattern or a path.
func wordOfSentence(text string) bool {
	pattern := strings.ContainsAny(text, "|(\\[?*/") && !looksRandom(text, 12)
	return plainWord(text) || isNumber(text) || text[0] == '-' || pattern
}

// testResult reports whether the text is output of tests and checks: "--- PASS: TestNode", "pass: 3/4".
func testResult(s string, v value) bool {
	return strings.HasSuffix(s[:v.lo], "--- PASS: ") || s[:v.lo] == "PASS: " || strings.Trim(s[v.lo:v.hi], "0123456789/.%") == ""
}

// harmless reports whether the value of a weak name is not a secret: a path, a namespace and a name, a number, a status
// word.
func (n *name) harmless(v value, s string) bool {
	text := s[v.lo:v.hi]
	switch n.word {
	case "otp", "pin":
		return v.by == said || !shortNumber(text)
	case "key", "_pat":
		return v.by == said || text[0] == '-' || !looksRandom(text, 16) || isPath(text)
	case "secretid", "secret_id", "secret id":
		return !uuid.MatchString(text) && !looksRandom(text, 12)
	}
	return n.harmlessText(v, s, text)
}

// harmlessText is harmless for names of any text.
func (n *name) harmlessText(v value, s, text string) bool {
	switch {
	case v.by == said && looksRandom(text, 16):
		return isPath(text) || text[0] == '-' || objectName.MatchString(text)
	case v.by == said, setting(text):
		return true
	case n.word == "auth" || n.word == "jwt":
		return !looksRandom(text, 8) && (v.bare() || lowerWords(text))
	}
	word, more, _ := strings.Cut(text, " ")
	if looksRandom(word, 8) {
		return false
	}
	severalWords := more != "" && v.by == ownLine
	return statusWord(word) || severalWords || v.inSentence(s, text) || n.namesObject(v, s, text)
}

// inSentence reports whether more words follow the value.
func (v value) inSentence(s, text string) bool {
	return v.bare() && (strings.HasSuffix(text, ":") || sentenceGoesOn(s, v))
}

// setting reports whether the text is a path, an option, a version, a small number, or a namespace with a name.
func setting(text string) bool {
	if isPath(text) || text[0] == '-' || isVersion(text) {
		return true
	}
	smallNumber := isNumber(text) && len(text) < 6
	return smallNumber || strings.IndexByte(text, '/') > 0 && objectName.MatchString(text)
}

// shortNumber reports whether the text may be a code with a few digits: its first word is a number.
func shortNumber(text string) bool {
	text, _, _ = strings.Cut(text, " ")
	return isNumber(text) && len(text) >= 4 && len(text) <= 10
}

// isVersion reports whether the text is a version or a time.
func isVersion(text string) bool {
	switch first := text[0]; {
	case first == 'v', first == 'V', first >= '0' && first <= '9':
		return versionLike.MatchString(text)
	}
	return false
}

// bare reports whether the value may be a word of a sentence.
func (v value) bare() bool { return v.by == spaced || v.by == ownLine || v.by == flagged }

// statusWord reports whether the word is a status of a secret instead of the secret.
func statusWord(word string) bool {
	lower := strings.ToLower(strings.Trim(word, ".,;:!?()[]\"'/\\"))
	if ordinary[lower] {
		return true
	}
	return strings.HasSuffix(lower, "ing") && plainWord(lower) || strings.HasSuffix(lower, "()") || strings.Trim(lower, "-=_#") == ""
}

// namesObject reports whether the value is the name of a Secret or of a token object, not its content.
func (n *name) namesObject(v value, s, text string) bool {
	lower := strings.ToLower(text)
	if lower != text {
		return false
	}
	if nameLike(text) && (n.word == "secret" || holdsAny(text, "secret", "token", "cred", "cert", "tls", "auth", "key", "config", "account")) {
		return true
	}
	if n.word != "secret" || !lowerWords(text) {
		return false
	}
	head := strings.ToLower(strings.TrimRight(s[max(0, v.lo-40):v.lo], " \t=:\"'\\"))
	for _, before := range []string{"pullsecret", "pull-secret", "pull_secret", "tlssecret", "tls-secret", "tls_secret", "existingsecret", "existing-secret", "certsecret", "cert-secret", "certificatesecret"} {
		if strings.HasSuffix(head, before) {
			return true
		}
	}
	return v.by == quoted && !strings.HasSuffix(strings.TrimSuffix(head, "secret"), "_") && !strings.HasSuffix(strings.TrimSuffix(head, "secret"), "-")
}

func holdsAny(text string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// lowerWords reports whether the text is lower-case words joined by dots or colons.
func lowerWords(text string) bool { return strings.Trim(text, "abcdefghijklmnopqrstuvwxyz.:") == "" }

var objectName = lazyregexp.New(`^[a-z0-9-]{1,63}/[a-z0-9.-]{1,253}$`)

// nameLike reports whether the text looks like an object name: lower-case letters and digits with dashes between.
func nameLike(text string) bool {
	if strings.IndexByte(text, '-') < 0 {
		return false
	}
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == '-' || r == '.' }) {
		if len(part) > 16 || strings.Trim(part, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
			return false
		}
	}
	return true
}

const longestWord = 18 // letters

// plainWord reports whether the text is an ordinary word: letters, the first possibly a capital.
func plainWord(text string) bool {
	text = strings.TrimRight(text, ".,;:!?)")
	if text == "" {
		return true
	}
	if len(text) > longestWord {
		return false
	}
	return strings.Trim(text[1:], "abcdefghijklmnopqrstuvwxyz-'") == "" && isLetter(text[0])
}

// isNumber reports whether the text is a number.
func isNumber(text string) bool { return strings.Trim(text, "0123456789.") == "" }

// sentenceGoesOn reports whether more words follow the value.
func sentenceGoesOn(s string, v value) bool {
	rest := strings.TrimLeft(s[v.hi:], ".,;:)")
	if len(rest) < 2 || rest[0] != ' ' || !isLetter(rest[1]) {
		return false
	}
	return !pairFollowsWord(rest[1:])
}

// pairFollowsWord reports whether the text starts with name=value or name: value.
func pairFollowsWord(s string) bool {
	end := until(s, 0, " \t")
	word := s[:end]
	return strings.Contains(word, "=") || strings.HasSuffix(word, ":")
}

// ordinary are words that follow the name of a secret in sentences.
var ordinary = func() map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(`a an the is was are were has have had be been not no none never invalid incorrect wrong expired missing required
		unset empty set unknown denied failed failure error rejected refused changed rotated updated reset found accepted authentication authorization login
		auth for from in of on to with without by and or but as at if when while until it this that these those you your must should can cannot could
		may will would does did do flag option argument value parameter field file files path prompt policy manager hash length too short long weak
		disabled enabled ok yes please enter try again using used use via stdin compat db sss ldap systemd nis winbind timeout unauthorized forbidden
		unavailable unsupported mismatch does-not-match incorrect-password permission access exceeded deadline context read open load get fetch
		string strings stringarray duration int int32 int64 bool boolean number object list map array type enum optional default created deleted added stored
		stopped started starting running ready pending loading loaded saved ignored allowed granted validated verified verification validation parsing malformed corrupt unreadable
		available present absent exists nonexistent configured unchanged refreshed revoked cached locked unlocked active inactive healthy unhealthy manual automatic static
		stale fresh retry retrying abort aborted canceled cancelled closed open internal external local remote basic bearer digest kerberos ldap oidc oauth saml
		exec executable no-op noop dynamic cluster node pod secret secrets token tokens certificate certificates authenticated anonymous connection connect dial eof unexpected could couldn't don't
		doesn't isn't wasn't cannot can't please because after before since we i you your its it's their our my some any each every all both other another such more less most
		complete completed success successful succeeded pending skipped valid current new old same different protected based provided given specified`) {
		out[w] = true
	}
	return out
}()

// placeholder reports whether a value means no secret, a redacted secret, or a placeholder.
func placeholder(v string) bool {
	if hidden(v) || strings.HasPrefix(v, "(*") || strings.HasPrefix(v, "map[") { // printed Go types and maps
		return true
	}
	switch v[0] {
	case '{':
		return !strings.Contains(v, `":`) && !hashOfLDAP(v)
	case '<':
		return true
	case '$':
		rest := strings.Trim(v[1:], "{}()")
		return rest == "" || strings.Trim(rest, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_.") == "" || v[1] == '{' || v[1] == '('
	case '%':
		return len(v) <= 3 || strings.HasPrefix(v, "%(") || strings.HasPrefix(v, "%!")
	}
	switch strings.ToLower(v) {
	case "nil", "null", "none", "true", "false", "unknown", "undefined", "n/a", "na", "empty", "unset", "hidden", "masked", "redacted", "removed", "omitted", "<nil>", "(none)", "|", ">", "|-", ">-", "-", ",", ";", ":", ".", "=", "}", "]", ")", "(", "[", "...":
		return true
	}
	return false
}

// hidden reports whether a value is already redacted.
func hidden(v string) bool {
	switch {
	case v == "", strings.Contains(v, tagStart):
		return true
	case strings.Trim(v, "*.•") == "", strings.Trim(v, "xX") == "", strings.HasPrefix(v, "***"): // masked
		return true
	case strings.EqualFold(strings.Trim(v, "<>[]()*"), "redacted"), strings.HasPrefix(v, "--- REDACTED"), strings.HasSuffix(v, "REDACTED"):
		return true
	}
	return strings.HasPrefix(v, "<set to the key") || strings.HasPrefix(v, "(v1:") // kubectl describe shows the source of a value
}

// hashOfLDAP reports whether a value starts like an LDAP password hash.
func hashOfLDAP(v string) bool {
	for _, scheme := range []string{"{SSHA", "{SHA", "{MD5", "{CRYPT"} {
		if strings.HasPrefix(v, scheme) {
			return true
		}
	}
	return false
}

func isScalarMark(v string) bool {
	if i := strings.Index(v, "u003e"); i > 0 && strings.Trim(v[:i], `\`) == "" {
		v = ">" + v[i+len("u003e"):]
	}
	switch v {
	case "|", ">", "|-", ">-", "|+", ">+":
		return true
	}
	return false
}

// isPath reports whether the value is a file name.
func isPath(v string) bool {
	if strings.HasPrefix(v, "file:") || strings.HasPrefix(v, "~/") || strings.HasPrefix(v, "./") || strings.HasPrefix(v, "../../") {
		return true
	}
	onDrive := len(v) > 3 && v[1] == ':' && isLetter(v[0])
	if onDrive && (v[2] == '\\' || v[2] == '/') {
		return true
	}
	if v[0] != '/' {
		return false
	}
	if v == "/" {
		return true
	}
	top, _, more := strings.Cut(v[1:], "/")
	switch top {
	case "etc", "var", "run", "home", "root", "opt", "usr", "tmp", "mnt", "srv", "proc", "sys", "dev", "data", "secrets", "app", "config", "certs", "ssl", "keys", "host", "bin", "lib", "boot", "media", "vault", "workspace", "builds", "hostfs", "rootfs", "snap", "Users", "private":
		return true
	}
	return more && strings.Trim(v, "abcdefghijklmnopqrstuvwxyz/-_.") == ""
}

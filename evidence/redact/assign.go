package redact

import "strings"

// value is the value that a text assigns to a name.
type value struct {
	lo, hi int
	by     given
}

// given is the syntax of an assignment.
type given int

const (
	tight    given = iota // name=value, name:value
	spaced                // name: value, which may be a sentence
	quoted                // name="value", "name": "value"
	flagged               // --name value
	said                  // the name is value; name "value"
	ownLine               // a line of YAML, describe output or a settings file
	listed                // name:[value]
	argument              // "--name","value"
)

// element returns the value of the XML element at lo. An element before a space or another such word is a placeholder:
// <user>:<password>, <password> or <token>.
func element(s string, lo int) (value, bool) {
	hi := strings.IndexByte(s[lo:], '<')
	switch {
	case lo == len(s) || s[lo] == ' ':
		return value{}, false
	case hi < 0:
		return value{lo, len(s), quoted}, true
	}
	return value{lo, lo + hi, quoted}, hi > 0 && strings.HasPrefix(s[lo+hi:], "</")
}

// valueAfter returns the value of the name s[name:end].
func valueAfter(s string, name, end int) (value, bool) {
	p := afterSuffix(s, end)
	p, closed := closeQuote(s, p)
	if !closed && lineAsKey(s, name, p) {
		p, closed = p+2, true
	}
	if !closed && tagEnds(s, name, p) {
		return element(s, p+1)
	}
	if lo := skip(s, p, `\`, 8); !closed && lo > p && strings.HasPrefix(s[lo:], "u003e") {
		lo += len("u003e")
		hi := until(s, lo, "\\\"<")
		return value{lo, hi, quoted}, hi > lo
	}
	q := skip(s, p, " \t", 40)
	sep := separator(s[q:])
	if sep == 0 {
		return unassigned(s, name, p, q, closed)
	}
	return assigned(s, name, p, q, sep)
}

// tagEnds reports whether the name is that of an XML element whose start tag ends at p.
func tagEnds(s string, name, p int) bool {
	if name == 0 || p >= len(s) || s[p] != '>' {
		return false
	}
	return s[name-1] == '<' || s[name-1] == ':'
}

// lineAsKey reports whether the name is a line of a file used as a key: "passwd:": "files".
func lineAsKey(s string, name, p int) bool {
	quoted := name > 0 && s[name-1] == '"'
	return quoted && strings.HasPrefix(s[p:], `:"`)
}

// assigned returns the value after the assignment operator at q with length sep. The name starts at name and ends at p.
func assigned(s string, name, p, q, sep int) (value, bool) {
	colon := s[q] == ':' && sep == 1
	v := skip(s, q+sep, " \t", 40)
	if v >= len(s) {
		return value{}, false
	}
	if s[v] == '[' && !strings.HasPrefix(s[v:], "[]string{") && !strings.HasPrefix(s[v:], tagStart) {
		return listFrom(s, v), true
	}
	v = behindType(s, v)
	if lo, hi, ok := inQuotes(s, v); ok {
		return value{lo, hi, quoted}, true
	}
	if rest := strings.TrimRight(s[v:], " \t\r"); isScalarMark(rest) {
		return value{v, v + len(rest), ownLine}, true
	}
	spaceBefore, spaceAfter := q > p, v > q+sep
	switch {
	case startsLine(s[:name]) && (colon || spaceBefore || spaceAfter):
		return value{v, len(strings.TrimRight(s, " \t\r")), ownLine}, true
	case spaceBefore, colon && spaceAfter:
		return value{v, bareEnd(s, v), spaced}, true
	}
	return value{v, bareEnd(s, v), tight}, true
}

// behindType skips the type of a printed list of Go.
func behindType(s string, p int) int {
	if strings.HasPrefix(s[p:], "[]string{") || strings.HasPrefix(s[p:], "string{") {
		return p + strings.IndexByte(s[p:], '{') + 1
	}
	return p
}

// listFrom returns the elements of the list whose bracket is at p.
func listFrom(s string, p int) value {
	if hi := strings.IndexByte(s[p:], ']'); hi > 1 {
		return value{p + 1, p + hi, listed}
	}
	return value{p + 1, len(s), listed}
}

// startsLine reports whether only a list or comment mark, or a shell keyword that sets variables, is before a name.
func startsLine(before string) bool {
	head := strings.TrimLeft(before, " \t-#;")
	return head == "" || head == "export " || head == "set "
}

// unassigned returns the value of a name without an assignment operator: of a flag, the next list element, a JSON pair
// of name and value, or a sentence.
func unassigned(s string, name, p, q int, closed bool) (value, bool) {
	isFlag := strings.HasPrefix(s[name:], "-")
	switch {
	case closed && strings.HasPrefix(s[q:], ","):
		return nextElement(s, q+1, isFlag)
	case closed && strings.HasPrefix(s[q:], "value="): // an XML attribute
		return quotedAt(s, q+len("value="))
	case closed, q == p, q >= len(s):
		return value{}, false
	case !isFlag:
		return sentence(s, name, q)
	}
	if v, ok := quotedAt(s, q); ok {
		return v, true
	}
	return value{q, bareEnd(s, q), flagged}, true
}

// nextElement returns the value in the next list element: the argument after a flag, or the field value after a name.
func nextElement(s string, p int, isFlag bool) (value, bool) {
	v, ok := quotedAt(s, skip(s, p, " \t", 8))
	switch key := v.text(s); {
	case !ok:
		return value{}, false
	case isFlag:
		return value{v.lo, v.hi, argument}, true
	case strings.EqualFold(key, "value"), strings.EqualFold(key, "secureValue"):
		return fieldAfter(s, v.hi)
	}
	return value{}, false
}

// fieldAfter returns the value of the key that ends at p, in quotes.
func fieldAfter(s string, p int) (value, bool) {
	p, _ = closeQuote(s, p)
	if p = skip(s, p, " \t", 8); p >= len(s) || s[p] != ':' {
		return value{}, false
	}
	return quotedAt(s, skip(s, p+1, " \t", 8))
}

func quotedAt(s string, p int) (value, bool) {
	lo, hi, ok := inQuotes(s, p)
	return value{lo, hi, quoted}, ok
}

// verbs are words between the name of a secret and the secret in sentences.
var verbs = []string{"is: ", "is ", "was: ", "was ", "set to ", "to ", "of ", "has been set to ", "has been changed to ", "has been reset to ", "changed to ", "reset to ", "= "}

// sentence returns the value that a sentence gives to the name, from q on.
func sentence(s string, name, q int) (value, bool) {
	if announced, ok := atEnd(s, q); ok {
		return announced, true
	}
	q = behindOwner(s, q)
	if next := q + until(s[q:], 0, " ") + 1; next < len(s) && strings.HasPrefix(s[next:], "= ") && isUpper(s[name]) { // PASSWORD elastic = X
		q = next
	}
	q = skip(s, q+verb(s[q:]), " \t", 8)
	if q >= len(s) {
		return value{}, false
	}
	if lo, hi, ok := inQuotes(s, q); ok {
		return value{lo, hi, said}, true
	}
	by := said
	if setting := strings.TrimSpace(s[max(0, name-8):name]); setting == "setenv" || strings.HasSuffix(setting, "set -x") || strings.HasSuffix(setting, "set -gx") {
		by = tight
	}
	return value{q, bareEnd(s, q), by}, true
}

// behindOwner skips the owner of the secret: the password for user bob is X.
func behindOwner(s string, q int) int {
	if !hasPrefixFold(s[q:], "for ") && !hasPrefixFold(s[q:], "of ") {
		return q
	}
	next := q
	for range 3 {
		if next += until(s[next:], 0, " ") + 1; next >= len(s) {
			return q
		}
		if verb(s[next:]) > 0 {
			return next
		}
	}
	return q
}

func verb(s string) int {
	for _, v := range verbs {
		if hasPrefixFold(s, v) {
			return len(v)
		}
	}
	return 0
}

// atEnd returns the last word of a sentence after a colon: a temporary password is generated for root: X.
func atEnd(s string, q int) (value, bool) {
	rest := s[q:min(len(s), q+200)]
	if !strings.Contains(rest[:min(len(rest), 102)], ": ") {
		return value{}, false
	}
	for _, end := range []string{`\n`, `\r`, ". ", "; "} {
		rest, _, _ = strings.Cut(rest, end)
	}
	colon := strings.Index(rest, ": ")
	if colon < 0 || colon > 100 || !holdsAny(strings.ToLower(rest[:colon]), "generated", "temporary", "is ", "set ", "initial", "created", "following") {
		return value{}, false
	}
	lo := q + colon + 2
	hi := bareEnd(s, lo)
	if hi < len(s) && strings.IndexByte(" \t", s[hi]) >= 0 || hi-lo < 6 || plainWord(s[lo:hi]) {
		return value{}, false
	}
	return value{lo, hi, tight}, true
}

// closed reports whether quotes or brackets show where the value ends.
func (v value) closed() bool { return v.by == quoted || v.by == listed }

// toEnd extends an unquoted value to the end of its line.
func (v value) toEnd(s string) value {
	if v.closed() {
		return v
	}
	hi := len(s)
	for _, end := range []string{`"`, `'`, `\n`, `\r`} {
		if i := strings.Index(s[v.lo:hi], end); i >= 0 {
			hi = v.lo + i
		}
	}
	v.hi = v.lo + len(strings.TrimRight(s[v.lo:hi], " \t\r\\"))
	return v
}

// afterSuffix skips an optional suffix of the last word in a name.
func afterSuffix(s string, p int) int {
	rest := s[p:min(len(s), p+16)]
	for _, suffix := range nameSuffixes {
		if hasPrefixFold(rest, suffix) && (len(rest) == len(suffix) || !isLetter(rest[len(suffix)])) {
			p += len(suffix)
			break
		}
	}
	digits := skip(s, p, "0123456789_", 3)
	if digits > p && (digits == len(s) || !isWord(s[digits])) {
		p = digits
	}
	return p
}

// closeQuote skips the quote that ends a name, with its escaping backslashes.
func closeQuote(s string, p int) (int, bool) {
	q := skip(s, p, `\`, 8)
	if q < len(s) && strings.IndexByte("\"'`", s[q]) >= 0 {
		return q + 1, true
	}
	form := encodedQuote(s[p:])
	return p + len(form), form != ""
}

// encodedQuote returns the escape of a quote at the start of the text, or "".
func encodedQuote(s string) string {
	for _, form := range [...]string{"&quot;", "&#34;", "%22", `\u0022`} {
		if strings.HasPrefix(s, form) {
			return form
		}
	}
	return ""
}

// separator returns the length of the assignment operator, or 0.
func separator(s string) int {
	for _, sep := range []string{":=", "=>", "==", "%3D", "%3d", "%3A", "%3a", `\u003d`, "&#61;", "=", ":"} {
		if strings.HasPrefix(s, sep) {
			if more := skip(s, len(sep), `\`, 8); sep == "=" && strings.HasPrefix(s[more:], "u003e") { // => in JSON
				return more + len("u003e")
			}
			if sep == ":" && strings.HasPrefix(s, "://") {
				return 0
			}
			return len(sep)
		}
	}
	return 0
}

// inQuotes returns the quoted text at p. It ends at a quote with the same number of escapes, or with the line.
func inQuotes(s string, p int) (lo, hi int, ok bool) {
	if p >= len(s) {
		return 0, 0, false
	}
	if p+1 < len(s) && strings.IndexByte("buNEr@$f(", s[p]) >= 0 && (s[p+1] == '\'' || s[p+1] == '"') { // string literals of Python, SQL and shells
		p++
	}
	if form := encodedQuote(s[p:]); form != "" {
		lo = p + len(form)
		if i := strings.Index(s[lo:], form); i >= 0 {
			return lo, lo + i, true
		}
		return lo, len(s), true
	}
	q := skip(s, p, `\`, 16)
	if q >= len(s) || strings.IndexByte("\"'`", s[q]) < 0 {
		return 0, 0, false
	}
	return q + 1, closingQuote(s, q, q-p), true
}

// closingQuote returns the end of the text in the quotes that open at q, before the escapes of the closing quote.
func closingQuote(s string, q, escapes int) int {
	quote, lo := s[q], q+1
	doubles := quote == '\'' && escapes == 0 // YAML and SQL double a quote
	for i := lo; i < len(s); i++ {
		if s[i] != quote {
			continue
		}
		back := escapesBefore(s, lo, i)
		if doubles && back == 0 && i > lo && strings.HasPrefix(s[i+1:], "'") {
			i++
			continue
		}
		if back <= escapes {
			return i - back
		}
	}
	return len(s)
}

// bareEnd returns the end of an unquoted value.
func bareEnd(s string, p int) int {
	for i := p; i < len(s); i++ {
		if mayEnd[s[i]] && endsBare(s, i) {
			return i
		}
	}
	return len(s)
}

// mayEnd are the characters at which endsBare may be true.
var mayEnd = func() (out [256]bool) {
	for _, c := range []byte("\x00 \t\"'<>`\\,;&|%)]}") {
		out[c] = true
	}
	return out
}()

// endsBare reports whether an unquoted value ends at the character. Characters that end a list or pair count only if one
// continues or ends there.
func endsBare(s string, i int) bool {
	switch s[i] {
	case ' ', '\t', '"', '\'', '<', '>', '`', 0:
		return true
	case '\\':
		return i+1 < len(s) && strings.IndexByte(`nrtu"'\`, s[i+1]) >= 0
	case '%':
		return strings.HasPrefix(s[i:], "%26") || strings.HasPrefix(s[i:], "%22") || strings.HasPrefix(s[i:], "%20")
	case ')', ']', '}':
		return i+1 == len(s) || strings.IndexByte(" \t\"'\\,;.:)]}", s[i+1]) >= 0
	case ',', ';', '&', '|':
		return encodedQuote(s[i:]) != "" || pairEnds(s, i+1)
	}
	return false
}

// pairEnds reports whether a list or a pair ends at p, after its separator, or another one follows.
func pairEnds(s string, p int) bool {
	return p == len(s) || strings.IndexByte(" \t\"'\\&", s[p]) >= 0 || pairFollows(s, p)
}

// pairFollows reports whether a name and an assignment operator are at p.
func pairFollows(s string, p int) bool {
	q, most := skip(s, p, "@", 1), min(len(s), p+40)
	for q < most && (isNameByte(s[q]) || s[q] == ' ') {
		q++
	}
	if q == p || q == len(s) {
		return false
	}
	return s[q] == '=' || s[q] == ':' || strings.HasPrefix(s[q:], "%3")
}

// skip skips at most n of the characters.
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

func depth(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

package evidence

import (
	"strings"

	"github.com/nodetriage/nodetriage/lazyregexp"
)

// Lines redacts a text that comes line by line and remembers what goes over several of them: private keys, and
// the environment of a container as kubectl describe and YAML print it.
type Lines struct {
	redactor *Redactor
	block    block
	indent   int // of the line that opened the block
}

type block int

const (
	noBlock block = iota
	keyBlock
	envBlock // Environment: of kubectl describe
	envList  // env: of YAML
)

// Lines starts a text.
func (r *Redactor) Lines() *Lines { return &Lines{redactor: r} }

// Clean reports whether a whole stretch of lines can pass as it is: a quick look instead of one by one.
func (l *Lines) Clean(chunk string) bool { return l.block == noBlock && !l.redactor.suspicious(chunk) }

var (
	keyBegin  = lazyregexp.New(`-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----`)
	keyWhole  = lazyregexp.New(`-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----(.*?)-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----`)
	keyBody   = lazyregexp.New(`^\s*(?:[A-Za-z0-9+/=]{1,200}|[A-Za-z-]{4,20}: .*|)\s*$`)
	envHead   = lazyregexp.New(`^(\s+)Environment:\s*$`)
	envHeadY  = lazyregexp.New(`^(\s*)(?:- )?env:\s*$`)
	envValue  = lazyregexp.New(`^\s+[^\s:]+:\s+(\S.*)$`)
	envValueY = lazyregexp.New(`^\s*(?:- )?value:\s+(\S.*)$`)
)

// Line returns the line, which holds no line break, without its secrets.
func (l *Lines) Line(s string) string {
	if l.block != noBlock {
		if out, inside := l.inside(s); inside {
			return out
		}
		l.block = noBlock
	}
	lower := asciiLower(s)
	if !hinted(lower) {
		return l.emails(s)
	}
	if strings.Contains(lower, "private key-----") {
		if out, done := l.key(s); done {
			return out
		}
	}
	l.open(s)
	rules := secretRules()
	for i := range rules {
		s, lower = l.redactor.rule(&rules[i], s, lower)
	}
	s, lower = l.redactor.assignments(s, lower)
	if strings.Contains(lower, "token") || strings.Contains(lower, " join ") {
		s = l.redactor.replace("token", bootstrapToken, noDigit, s)
	}
	return l.emails(s)
}

func (l *Lines) emails(s string) string {
	if l.redactor.emails && strings.IndexByte(s, '@') >= 0 {
		return l.redactor.replace("email", email, unitName, s)
	}
	return s
}

// key hides a private key that stands in this line, or opens the block of one that begins here.
func (l *Lines) key(s string) (string, bool) {
	if keyWhole.MatchString(s) {
		return l.redactor.replace("private-key", keyWhole, redacted, s), true
	}
	at := keyBegin.FindStringIndex(s)
	if at == nil {
		return s, false
	}
	if rest := s[at[1]:]; strings.TrimSpace(rest) != "" {
		return s[:at[1]] + l.redactor.hide("private-key", rest), true
	}
	l.block = keyBlock
	return s, true
}

// open remembers a block that starts with this line.
func (l *Lines) open(s string) {
	if m := envHead.FindStringSubmatch(s); m != nil {
		l.block, l.indent = envBlock, len(m[1])
	} else if m := envHeadY.FindStringSubmatch(s); m != nil {
		l.block, l.indent = envList, len(m[1])
	}
}

// inside redacts a line of the open block; false: the block ended before it.
func (l *Lines) inside(s string) (string, bool) {
	switch l.block {
	case keyBlock:
		if strings.Contains(s, "-----END ") {
			l.block = noBlock
			return s, true
		}
		if !keyBody.MatchString(s) {
			return s, false
		}
		if strings.TrimSpace(s) == "" {
			return s, true
		}
		return l.redactor.hide("private-key", s), true
	case envBlock:
		if depth(s) <= l.indent {
			return s, false
		}
		return l.value(envValue, s), true
	default:
		if d := depth(s); d < l.indent || d == l.indent && !strings.HasPrefix(strings.TrimLeft(s, " "), "- ") {
			return s, false
		}
		return l.value(envValueY, s), true
	}
}

// value hides the value of an environment variable; references to other objects stay.
func (l *Lines) value(find *lazyregexp.Regexp, s string) string {
	return l.redactor.replace("env", find, func(v string) bool {
		return strings.HasPrefix(v, "<set to the key") || strings.HasPrefix(v, "(v1:") || redacted(v)
	}, s)
}

func depth(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

// at hides what find points at, at every place of the line that holds the hint; lower is the line in lower
// case. Both are returned as they are afterwards.
func (r *Redactor) at(kind, hint, s, lower string, find func(at int) (lo, hi int)) (string, string) {
	var out strings.Builder
	last := 0
	for from := 0; ; {
		i := strings.Index(lower[from:], hint)
		if i < 0 {
			break
		}
		at := from + i
		from = at + len(hint)
		if lo, hi := find(at); lo < hi {
			out.WriteString(s[last:lo])
			out.WriteString(r.hide(kind, s[lo:hi]))
			last, from = hi, hi
		}
	}
	if last == 0 {
		return s, lower
	}
	out.WriteString(s[last:])
	return out.String(), asciiLower(out.String())
}

// rule hides what the rule finds at its hints.
func (r *Redactor) rule(rule *secretRule, s, lower string) (string, string) {
	return r.at(rule.kind, rule.hint, s, lower, func(at int) (int, int) {
		if at > 0 && isWord(rule.hint[0]) && isWord(s[at-1]) {
			return 0, 0
		}
		m := rule.at.FindStringSubmatchIndex(s[at:])
		if m == nil || rule.spare != nil && rule.spare(s[at+m[2]:at+m[3]]) {
			return 0, 0
		}
		return at + m[2], at + m[3]
	})
}

func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// replace replaces the first group of every match, but for values that are spared.
func (r *Redactor) replace(kind string, find *lazyregexp.Regexp, spare func(string) bool, s string) string {
	found := find.FindAllStringSubmatchIndex(s, -1)
	if found == nil {
		return s
	}
	var out strings.Builder
	last := 0
	for _, m := range found {
		value := s[m[2]:m[3]]
		if spare(value) {
			continue
		}
		out.WriteString(s[last:m[2]])
		out.WriteString(r.hide(kind, value))
		last = m[3]
	}
	out.WriteString(s[last:])
	return out.String()
}

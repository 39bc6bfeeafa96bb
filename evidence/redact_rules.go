package evidence

import (
	"strings"
	"sync"

	"github.com/nodetriage/nodetriage/lazyregexp"
)

// secretRule is one shape of a secret. The search runs at every place that holds the hint, which costs far
// less than looking for the expression itself; its first group is what is replaced.
type secretRule struct {
	kind string
	hint string // lower case; every match starts with it
	at   *lazyregexp.Regexp
	// spare tells values that only look like a secret. Nil: none do.
	spare func(value string) bool
}

// secretRules are compiled at their first use: most runs redact nothing.
var secretRules = sync.OnceValue(func() []secretRule {
	rules := []secretRule{
		{"jwt", "eyj", lazyregexp.New(`^(eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?)`), nil},
		{"bearer-token", "bearer", lazyregexp.New(`^(?i)bearer\s+([A-Za-z0-9._~+/=-]{16,})`), noDigit},
		{"authorization", "authorization", lazyregexp.New(`^(?i)authorization\\*["']?\s*[:=]\s*\\*["']?(?:basic|digest|token)\s+([^\s"'\\,;]{4,})`), redacted},
		{"sas-signature", "sig=", lazyregexp.New(`^(?i)sig=([^\s&"'<>\\]{8,})`), redacted},
		{"token", "k10", lazyregexp.New(`^(K10[0-9a-f]{32,}::[^\s"']{4,})`), nil},
		{"access-key-id", "akia", lazyregexp.New(`^(AKIA[A-Z0-9]{16})\b`), nil},
		{"access-key-id", "asia", lazyregexp.New(`^(ASIA[A-Z0-9]{16})\b`), nil},
		{"applied-configuration", "last-applied-configuration", lazyregexp.New(`^last-applied-configuration\\*["']?[:=]?\s*([{'"\\].*)$`), redacted},
	}
	issued := lazyregexp.New(`^([A-Za-z_]{3,11}[-_]?[A-Za-z0-9_-]{16,})`)
	for _, prefix := range []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "aiza"} {
		rules = append(rules, secretRule{"token", prefix, issued, noDigit})
	}
	return rules
})

// bootstrapToken is a token of kubeadm, looked for in lines that speak of one.
var bootstrapToken = lazyregexp.New(`\b([a-z0-9]{6}\.[a-z0-9]{16})\b`)

// email is an address of a person.
var email = lazyregexp.New(`\b([A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24})\b`)

// redacted tells a value that somebody hid already.
func redacted(v string) bool {
	return v == "" || strings.HasPrefix(v, "[redacted-") || strings.Trim(v, "*") == "" || strings.Trim(v, "xX") == "" ||
		strings.EqualFold(strings.Trim(v, "<>[]"), "redacted")
}

// noDigit tells words from tokens.
func noDigit(v string) bool { return !strings.ContainsAny(v, "0123456789") }

// unitName tells an instance of a systemd unit, and an image digest, from an address.
func unitName(v string) bool {
	for _, end := range []string{".service", ".socket", ".slice", ".mount", ".timer", ".target", ".scope", ".path", ".local", ".internal"} {
		if strings.HasSuffix(v, end) {
			return true
		}
	}
	return false
}

// blockHints start what goes over several lines.
var blockHints = []string{"private key-----", "environment:", "env:"}

// suspicious reports whether a text holds anything that a rule starts from.
func (r *Redactor) suspicious(s string) bool {
	return hinted(asciiLower(s)) || r.emails && strings.IndexByte(s, '@') >= 0
}

func hinted(lower string) bool {
	for _, h := range blockHints {
		if strings.Contains(lower, h) {
			return true
		}
	}
	if strings.Contains(lower, "://") {
		return true
	}
	for i := range secretWords {
		if secretWords[i].in(lower) {
			return true
		}
	}
	for _, rule := range secretRules() {
		if strings.Contains(lower, rule.hint) {
			return true
		}
	}
	return false
}

// asciiLower is strings.ToLower for ASCII letters: lengths and offsets stay.
func asciiLower(s string) string {
	for i := 0; i < len(s); i++ {
		if 'A' <= s[i] && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if 'A' <= b[i] && b[i] <= 'Z' {
					b[i] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}

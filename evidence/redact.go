package evidence

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Redactor replaces secrets in texts and JSON by tokens such as [redacted-password-1]. One secret gets the
// same token wherever it stands, so that a reader still sees which two are equal. What diagnosis needs stays:
// names of objects, nodes and files, and IP addresses. It is a strong filter, not a proof: see what leaves
// the house before it does. It is not safe for concurrent use.
type Redactor struct {
	emails bool
	tokens map[string]string
	counts map[string]*Redaction
}

// Redaction counts what was replaced of one kind.
type Redaction struct {
	Kind     string `json:"kind"`     // password, bearer-token, jwt, private-key, ...
	Distinct int    `json:"distinct"` // different secrets
	Count    int    `json:"count"`    // places
}

// maxTokens bounds the memory for secrets that get a number of their own; further ones share one token.
const maxTokens = 100_000

// NewRedactor returns a Redactor; emails reports whether addresses of people are replaced too.
func NewRedactor(emails bool) *Redactor {
	return &Redactor{emails: emails, tokens: map[string]string{}, counts: map[string]*Redaction{}}
}

// Report lists what was replaced so far, by kind.
func (r *Redactor) Report() []Redaction {
	out := make([]Redaction, 0, len(r.counts))
	for _, c := range r.counts {
		out = append(out, *c)
	}
	slices.SortFunc(out, func(a, b Redaction) int { return cmp.Compare(a.Kind, b.Kind) })
	return out
}

// Text replaces the secrets of a text, line by line. The number of lines stays.
func (r *Redactor) Text(s string) string {
	if !r.suspicious(s) {
		return s
	}
	var lines Lines
	lines.redactor = r
	var out strings.Builder
	for line := range strings.Lines(s) {
		body := strings.TrimRight(line, "\r\n")
		out.WriteString(lines.Line(body))
		out.WriteString(line[len(body):])
	}
	return out.String()
}

// hide returns the token for a secret.
func (r *Redactor) hide(kind, secret string) string {
	count := r.counts[kind]
	if count == nil {
		count = &Redaction{Kind: kind}
		r.counts[kind] = count
	}
	count.Count++
	key := kind + "\x00" + secret
	token, known := r.tokens[key]
	if !known {
		if len(r.tokens) >= maxTokens {
			return "[redacted-" + kind + "]"
		}
		count.Distinct++
		token = fmt.Sprintf("[redacted-%s-%d]", kind, count.Distinct)
		r.tokens[strings.Clone(key)] = token
	}
	return token
}

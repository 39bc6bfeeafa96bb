package redact

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Redactor replaces secrets by tags. One secret gets the same tag wherever it stands, so that a reader still sees which
// two are equal. It is safe for concurrent use.
type Redactor struct {
	emails bool

	mu     sync.Mutex
	tags   map[string]tag // by the secret
	counts map[string]*Redaction
}

// Redaction counts what was replaced of one kind.
type Redaction struct {
	Kind     string `json:"kind"`     // password, bearer-token, jwt, private-key, ...
	Distinct int    `json:"distinct"` // different secrets
	Count    int    `json:"count"`    // places
}

// maxTags bounds the memory for secrets that get a number of their own; further ones share one tag.
const maxTags = 100_000

// New returns a Redactor; emails reports whether addresses of people are replaced too.
func New(emails bool) *Redactor {
	return &Redactor{emails: emails, tags: map[string]tag{}, counts: map[string]*Redaction{}}
}

// HideEmails replaces addresses of people too, from now on.
func (r *Redactor) HideEmails() { r.emails = true }

// Report lists what was replaced so far, by kind.
func (r *Redactor) Report() []Redaction {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make([]Redaction, 0, len(r.counts))
	for _, c := range r.counts {
		out = append(out, *c)
	}
	slices.SortFunc(out, func(a, b Redaction) int { return cmp.Compare(a.Kind, b.Kind) })
	return out
}

// Text replaces the secrets of a text, line by line. The number of lines stays.
func (r *Redactor) Text(s string) string {
	lines := r.Lines()
	if strings.IndexByte(s, '\n') < 0 {
		return lines.Line(s)
	}
	var out strings.Builder
	for line := range strings.Lines(s) {
		body := strings.TrimRight(line, "\r\n")
		out.WriteString(lines.Line(body))
		out.WriteString(line[len(body):])
	}
	return out.String()
}

// tagStart is how every tag starts.
const tagStart = "[redacted-"

// tag stands for one secret, of the kind as which it was found first.
type tag struct{ kind, text string }

// hide returns the tag for a secret.
func (r *Redactor) hide(kind, secret string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	t, known := r.tags[secret]
	if known {
		kind = t.kind
	}
	count := r.counts[kind]
	if count == nil {
		count = &Redaction{Kind: kind}
		r.counts[kind] = count
	}
	count.Count++
	switch {
	case known:
		return t.text
	case len(r.tags) >= maxTags:
		return tagStart + kind + "]"
	}
	count.Distinct++
	t = tag{kind, fmt.Sprintf("%s%s-%d-%d+]", tagStart, kind, count.Distinct, lengthClass(len(secret)))}
	r.tags[strings.Clone(secret)] = t
	return t.text
}

// lengthClass is the largest of 1, 8, 16, 32, ... that is not above n.
func lengthClass(n int) int {
	class := 1
	for next := 8; next <= n; next *= 2 {
		class = next
	}
	return class
}

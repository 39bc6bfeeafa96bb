package redact

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Redactor replaces secrets with tags. The same secret gets the same tag everywhere, so that readers see which are
// equal. It is safe for concurrent use.
type Redactor struct {
	emails bool
	known  *secrets
	await  func() // called before a secret gets a tag; nil: no wait
}

// secrets are the replaced secrets.
type secrets struct {
	mu     sync.Mutex
	tags   map[string]tag // by secret
	counts map[string]*Redaction
}

// Redaction counts the replacements of one kind.
type Redaction struct {
	Kind     string `json:"kind"`     // password, bearer-token, jwt, private-key, ...
	Distinct int    `json:"distinct"` // distinct secrets
	Count    int    `json:"count"`    // replacements
}

// maxTags bounds the memory for numbered secrets. Further secrets share one tag.
const maxTags = 100_000

// New returns a Redactor; emails also replaces email addresses.
func New(emails bool) *Redactor {
	return &Redactor{emails: emails, known: &secrets{tags: map[string]tag{}, counts: map[string]*Redaction{}}}
}

// InTurn returns a Redactor with the same tags that calls await before a secret gets its tag. Texts that are read
// concurrently get the same tags as in sequence if await blocks until the previous texts are complete.
func (r *Redactor) InTurn(await func()) *Redactor {
	return &Redactor{emails: r.emails, known: r.known, await: await}
}

// HideEmails also replaces email addresses from now on.
func (r *Redactor) HideEmails() { r.emails = true }

// Report returns the replacements so far, by kind.
func (r *Redactor) Report() []Redaction {
	r.known.mu.Lock()
	defer r.known.mu.Unlock()
	out := make([]Redaction, 0, len(r.known.counts))
	for _, c := range r.known.counts {
		out = append(out, *c)
	}
	slices.SortFunc(out, func(a, b Redaction) int { return cmp.Compare(a.Kind, b.Kind) })
	return out
}

// Text redacts a text line by line. The number of lines stays the same.
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

// tagStart is the prefix of every tag.
const tagStart = "[redacted-"

// tag replaces one secret. Its kind is that of the first occurrence.
type tag struct{ kind, text string }

// hide returns the tag for a secret.
func (r *Redactor) hide(kind, secret string) string {
	if r.await != nil && !r.known.has(secret) {
		r.await()
	}
	return r.known.tag(kind, secret)
}

func (s *secrets) has(secret string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, known := s.tags[secret]
	return known
}

// tag counts a secret and assigns a tag if needed.
func (s *secrets) tag(kind, secret string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, known := s.tags[secret]
	if known {
		kind = t.kind
	}
	count := s.counts[kind]
	if count == nil {
		count = &Redaction{Kind: kind}
		s.counts[kind] = count
	}
	count.Count++
	switch {
	case known:
		return t.text
	case len(s.tags) >= maxTags:
		return tagStart + kind + "]"
	}
	count.Distinct++
	t = tag{kind, fmt.Sprintf("%s%s-%d-%d+]", tagStart, kind, count.Distinct, lengthClass(len(secret)))}
	s.tags[strings.Clone(secret)] = t
	return t.text
}

// lengthClass returns the largest of 1, 8, 16, 32, ... that does not exceed n.
func lengthClass(n int) int {
	class := 1
	for next := 8; next <= n; next *= 2 {
		class = next
	}
	return class
}

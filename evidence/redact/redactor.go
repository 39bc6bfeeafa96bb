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
	known  *secrets
	await  func() // called before a secret gets a tag; nil: nothing to wait for
}

// secrets are those that were replaced so far.
type secrets struct {
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
	return &Redactor{emails: emails, known: &secrets{tags: map[string]tag{}, counts: map[string]*Redaction{}}}
}

// InTurn returns a Redactor with the same tags that calls await before a secret gets its tag. Texts that are read at the same time
// get the tags that they would get one after the other, if await returns when the texts before have all of theirs.
func (r *Redactor) InTurn(await func()) *Redactor {
	return &Redactor{emails: r.emails, known: r.known, await: await}
}

// HideEmails replaces addresses of people too, from now on.
func (r *Redactor) HideEmails() { r.emails = true }

// Report lists what was replaced so far, by kind.
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

// tag counts a secret, which gets a tag if it has none.
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

// lengthClass is the largest of 1, 8, 16, 32, ... that is not above n.
func lengthClass(n int) int {
	class := 1
	for next := 8; next <= n; next *= 2 {
		class = next
	}
	return class
}

package lazyregexp

import (
	"regexp"
	"sync"
)

// Regexp is a regexp.Regexp that is compiled at the first use.
type Regexp struct {
	get func() *regexp.Regexp
}

// New prepares an expression of the program. Its first use panics if the expression is invalid.
func New(expr string) *Regexp {
	return &Regexp{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })}
}

// MatchString is like the method of regexp.Regexp.
func (r *Regexp) MatchString(s string) bool { return r.get().MatchString(s) }

// Match is like the method of regexp.Regexp.
func (r *Regexp) Match(b []byte) bool { return r.get().Match(b) }

// FindString is like the method of regexp.Regexp.
func (r *Regexp) FindString(s string) string { return r.get().FindString(s) }

// FindStringIndex is like the method of regexp.Regexp.
func (r *Regexp) FindStringIndex(s string) []int { return r.get().FindStringIndex(s) }

// FindStringSubmatch is like the method of regexp.Regexp.
func (r *Regexp) FindStringSubmatch(s string) []string { return r.get().FindStringSubmatch(s) }

// FindStringSubmatchIndex is like the method of regexp.Regexp.
func (r *Regexp) FindStringSubmatchIndex(s string) []int { return r.get().FindStringSubmatchIndex(s) }

// FindAllStringSubmatch is like the method of regexp.Regexp.
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.get().FindAllStringSubmatch(s, n)
}

// FindAllStringSubmatchIndex is like the method of regexp.Regexp.
func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.get().FindAllStringSubmatchIndex(s, n)
}

// FindSubmatch is like the method of regexp.Regexp.
func (r *Regexp) FindSubmatch(b []byte) [][]byte { return r.get().FindSubmatch(b) }

// ReplaceAllString is like the method of regexp.Regexp.
func (r *Regexp) ReplaceAllString(s, by string) string { return r.get().ReplaceAllString(s, by) }

// SubexpIndex is like the method of regexp.Regexp.
func (r *Regexp) SubexpIndex(name string) int { return r.get().SubexpIndex(name) }

// Find is like the method of regexp.Regexp.
func (r *Regexp) Find(b []byte) []byte { return r.get().Find(b) }

// ReplaceAllStringFunc is like the method of regexp.Regexp.
func (r *Regexp) ReplaceAllStringFunc(s string, by func(string) string) string {
	return r.get().ReplaceAllStringFunc(s, by)
}

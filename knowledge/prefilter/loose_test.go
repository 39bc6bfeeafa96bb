package prefilter

import (
	"regexp"
	"slices"
	"testing"
)

// An expression finds the same as Go's, with the same groups.
func FuzzExpression(f *testing.F) {
	for _, expr := range []string{
		`(?i)failed to .{0,20}: (?P<why>\w{1,10})`, `a{2,9}b`, `(?i)\bkelvin\b.{0,10}?(x|y)`, `^abc.{0,8}d`, `(?:ab|c){1,8}d`, `(?:a.{0,9}b){1,3}c`,
		`x.{0,8}y.{0,8}z|x(.{1,9})z`, `(?i)straße.{0,9}`, `abc[^"]{0,9}?(d|e){0,8}`, `(?:(a)|b.{0,8}c)+d`, `(a{1,8})?bcd`, `abc$.{0,9}|abc\n.{0,9}`,
		`(?:ab|c.){2,4}d`, `(?m)^x.{0,3}$`, `\Bb\b|\bcd`, `(?:a*b?){3}c`, `[^\s]{2,}?=\d*$`, `(?i:K)s|a(?-i:B)c`, `(?:(?:ab?){1,3}c){2,}`, `a.{3,5}b`, `(?:|a)(?:bc|)+d`,
	} {
		for _, text := range []string{
			"Failed to start this and that unit: reason given", "Failed to do it: no", "aaaaaaaaaaaab", "aab", "\u212Aelvin then y", "abcxxxxxxxxxd", "abcd", "ababcd", "a1ba2bc",
			"x123456789y1z", "x1y2z", "x1y1234567890z x1z", "STRASSE Stra\u00dfe \u00fc", "abc12345678901d", "b12c1d", "abc\nabc", "",
		} {
			f.Add(expr, text)
		}
	}
	f.Fuzz(func(t *testing.T, expr, text string) {
		re, err := regexp.Compile(expr)
		if err != nil || len(expr) > 200 {
			return
		}
		for _, e := range []*Expression{NewExpression(expr), withoutReach(expr)} {
			for range 2 {
				compare(t, e, re, expr, text)
				e.uses.Store(automatonFrom)
			}
		}
	})
}

// withoutReach returns the expression for texts that are long or not ASCII.
func withoutReach(expr string) *Expression {
	e := NewExpression(expr)
	e.reach = nil
	return e
}

func compare(t *testing.T, e *Expression, re *regexp.Regexp, expr, text string) {
	t.Helper()
	once := NewText(text)
	if got, want := e.Find(once), re.FindStringSubmatchIndex(text); !slices.Equal(got, want) {
		t.Errorf("%q on %q: %v, want %v", expr, text, got, want)
	}
	if got, want := e.Match(once), re.MatchString(text); got != want {
		t.Errorf("%q on %q: %v, want %v", expr, text, got, want)
	}
	if got, want := e.Names(), re.SubexpNames(); !slices.Equal(got, want) {
		t.Errorf("%q has the groups %q, want %q", expr, got, want)
	}
}

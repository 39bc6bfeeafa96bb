package prefilter

import (
	"regexp/syntax"
	"sync"
)

// Regexp is an expression with its guard. Both are created at the first use.
type Regexp struct {
	compiled func() *Expression
	guard    func() *Guard
}

// MustCompile prepares an expression of the program. Its first use panics if the expression is invalid.
func MustCompile(expr string) *Regexp { return Checked(expr) }

// Checked prepares an expression that was parsed without an error before.
func Checked(expr string) *Regexp {
	return &Regexp{
		compiled: sync.OnceValue(func() *Expression { return NewExpression(expr) }),
		guard: sync.OnceValue(func() *Guard {
			tree, err := syntax.Parse(expr, syntax.Perl)
			if err != nil {
				return nil
			}
			return NewGuard(tree)
		}),
	}
}

// Match reports whether the expression matches the text.
func (r *Regexp) Match(t *Text) bool {
	return r.guard().Pass(t) && r.compiled().Match(t)
}

// FindAll is like regexp.Regexp.FindAllStringSubmatchIndex.
func (r *Regexp) FindAll(t *Text, most int) [][]int {
	if !r.guard().Pass(t) {
		return nil
	}
	return r.compiled().exact().FindAllStringSubmatchIndex(t.String(), most)
}

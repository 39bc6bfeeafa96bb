package prefilter

import (
	"regexp/syntax"
	"sync"
)

// Regexp is an expression with its guard. Both are made at the first use.
type Regexp struct {
	compiled func() *Expression
	guard    func() *Guard
}

// MustCompile prepares an expression of the program itself; its first use panics if it is wrong.
func MustCompile(expr string) *Regexp { return Checked(expr) }

// Checked prepares an expression that was parsed before without an error.
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

// Text is a text that several expressions are tried on.
type Text struct {
	text   string
	folded []byte
}

// NewText prepares a text.
func NewText(s string) Text { return Text{s, AppendFolded(nil, s)} }

// FoldedText is NewText for a text whose folded form is known.
func FoldedText(s string, folded []byte) Text { return Text{s, folded} }

// Match reports whether the expression matches the text.
func (r *Regexp) Match(t Text) bool {
	return r.guard().Pass(t.folded) && r.compiled().Match(t.text, t.folded)
}

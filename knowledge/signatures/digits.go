package signatures

import (
	"bytes"
	"regexp/syntax"
	"slices"

	"github.com/nodetriage/nodetriage/knowledge/prefilter"
)

// digitsOf records the digits that an expression names.
type digitsOf struct {
	literals [][]byte // literals with digits, folded, with zeros for the digits
	some     bool     // it has a class with only some digits
}

// digitsIn reads an expression.
func digitsIn(expr string) (d digitsOf) {
	tree, err := syntax.Parse("(?i)"+expr, syntax.Perl)
	if err != nil {
		return digitsOf{some: true}
	}
	d.walk(tree)
	return d
}

func (d *digitsOf) walk(re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpLiteral:
		if slices.ContainsFunc(re.Rune, func(r rune) bool { return r >= '0' && r <= '9' }) {
			d.literals = append(d.literals, maskDigits(nil, string(prefilter.AppendFolded(nil, string(re.Rune)))))
		}
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			if lo, hi := max(re.Rune[i], '0'), min(re.Rune[i+1], '9'); lo <= hi && (lo != '0' || hi != '9') {
				d.some = true
			}
		}
	}
	for _, sub := range re.Sub {
		d.walk(sub)
	}
}

// ignored reports whether the expression matches all lines of a form at the same place, or none of them, because no line can
// contain the digits that the expression names. The form is folded.
func (d digitsOf) ignored(form []byte) bool {
	return !d.some && !slices.ContainsFunc(d.literals, func(lit []byte) bool { return bytes.Contains(form, lit) })
}

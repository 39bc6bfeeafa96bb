package signatures

import (
	"bytes"
	"regexp/syntax"
)

// guard is what a line must contain for an expression to match: a literal, all of several guards, or any of
// them. It is checked on the folded line before the expression runs, which costs a hundred times more.
type guard struct {
	literal []byte
	all     []*guard
	any     []*guard
}

const minGuard = 3 // bytes from which a literal is worth a look

// newGuard returns nil if nothing is known.
func newGuard(re *syntax.Regexp) *guard {
	switch re.Op {
	case syntax.OpLiteral:
		if p := pieces(string(re.Rune)); len(p) > 0 && len(p[0]) >= minGuard {
			return &guard{literal: foldBytes(p[0])}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return newGuard(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return newGuard(re.Sub[0])
		}
	case syntax.OpConcat:
		var all []*guard
		for _, sub := range re.Sub {
			if g := newGuard(sub); g != nil {
				all = append(all, g)
			}
		}
		switch len(all) {
		case 0:
			return nil
		case 1:
			return all[0]
		}
		return &guard{all: all}
	case syntax.OpAlternate:
		var any []*guard
		for _, sub := range re.Sub {
			g := newGuard(sub)
			if g == nil {
				return nil
			}
			any = append(any, g)
		}
		return &guard{any: any}
	}
	return nil
}

func (g *guard) passes(folded []byte) bool {
	switch {
	case g == nil:
		return true
	case g.literal != nil:
		return bytes.Contains(folded, g.literal)
	case g.all != nil:
		for _, sub := range g.all {
			if !sub.passes(folded) {
				return false
			}
		}
		return true
	}
	for _, sub := range g.any {
		if sub.passes(folded) {
			return true
		}
	}
	return false
}

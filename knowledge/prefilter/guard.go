package prefilter

import (
	"bytes"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

// Guard is a necessary condition for a match: a literal, several guards in their order, or any of them. A nil Guard passes
// every text.
type Guard struct {
	literal []byte // folded
	grams   []uint16
	all     []*Guard
	any     []*Guard
}

const minLiteral = 2 // the minimal length of a useful literal, in bytes

// NewGuard returns the guard of a parsed expression; nil if every match has no known literal.
func NewGuard(re *syntax.Regexp) *Guard {
	switch re.Op {
	case syntax.OpLiteral:
		if lit := longestPlain(string(re.Rune)); len(lit) >= minLiteral {
			folded := AppendFolded(nil, lit)
			return &Guard{literal: folded, grams: gramsOf(folded)}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return NewGuard(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return NewGuard(re.Sub[0])
		}
	case syntax.OpConcat:
		var all []*Guard
		for _, sub := range spreadHeads(re.Sub) {
			if g := NewGuard(sub); g != nil {
				all = append(all, g)
			}
		}
		switch len(all) {
		case 0:
			return nil
		case 1:
			return all[0]
		}
		return &Guard{all: all}
	case syntax.OpAlternate:
		var any []*Guard
		for _, sub := range re.Sub {
			g := NewGuard(sub)
			if g == nil {
				return nil
			}
			any = append(any, g)
		}
		return &Guard{any: any}
	}
	return nil
}

// spreadHeads returns the parts of a sequence. It prepends a literal to each alternative after it, as in the source of the
// expression: out of memory|OOM is parsed as o(?:ut of memory|OM), which leaves too little of OOM to search for.
func spreadHeads(parts []*syntax.Regexp) []*syntax.Regexp {
	var out []*syntax.Regexp
	for i := 0; i < len(parts); i++ {
		if i+1 == len(parts) || parts[i].Op != syntax.OpLiteral || parts[i+1].Op != syntax.OpAlternate {
			out = append(out, parts[i])
			continue
		}
		whole := &syntax.Regexp{Op: syntax.OpAlternate}
		for _, rest := range parts[i+1].Sub {
			whole.Sub = append(whole.Sub, headed(parts[i], rest))
		}
		out = append(out, whole)
		i++
	}
	return out
}

// headed returns an alternative with the literal in front of it.
func headed(head, rest *syntax.Regexp) *syntax.Regexp {
	parts := []*syntax.Regexp{rest}
	if rest.Op == syntax.OpConcat {
		parts = rest.Sub
	}
	if first := parts[0]; first.Op == syntax.OpLiteral && (first.Flags^head.Flags)&syntax.FoldCase == 0 {
		joined := *first
		joined.Rune = slices.Concat(head.Rune, first.Rune)
		parts = slices.Concat([]*syntax.Regexp{&joined}, parts[1:])
	} else {
		parts = slices.Concat([]*syntax.Regexp{head}, parts)
	}
	return &syntax.Regexp{Op: syntax.OpConcat, Sub: parts}
}

// longestPlain returns the longest part of a literal without quotes and backslashes, which a text may escape, and without
// letters outside ASCII, which have more than two cases.
func longestPlain(literal string) string {
	longest := ""
	for _, part := range strings.FieldsFunc(literal, func(r rune) bool {
		return r == '"' || r == '\\' || r > unicode.MaxASCII || r < ' '
	}) {
		if len(part) > len(longest) {
			longest = part
		}
	}
	return longest
}

// Masked returns the guard for texts in which all digits are zeros. If the guard passes a text, this one passes that text with
// its digits masked.
func (g *Guard) Masked() *Guard {
	if g == nil {
		return nil
	}
	masked := &Guard{all: masked(g.all), any: masked(g.any)}
	if g.literal != nil {
		masked.literal = bytes.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return '0'
			}
			return r
		}, g.literal)
		masked.grams = gramsOf(masked.literal)
	}
	return masked
}

func masked(list []*Guard) []*Guard {
	var out []*Guard
	for _, g := range list {
		out = append(out, g.Masked())
	}
	return out
}

// Pass reports whether the expression may match the text.
func (g *Guard) Pass(t *Text) bool {
	return g.may(t.threes()) && g.end(t, 0) >= 0
}

// may reports whether a text may contain the literals, in any order, according to its byte groups.
func (g *Guard) may(text *grams) bool {
	switch {
	case g == nil || text == nil:
		return true
	case g.literal != nil:
		return text.has(g.grams)
	case g.all != nil:
		for _, sub := range g.all {
			if !sub.may(text) {
				return false
			}
		}
		return true
	}
	for _, sub := range g.any {
		if sub.may(text) {
			return true
		}
	}
	return false
}

// end returns the end of the first part of the text that satisfies the guard and starts at from or later; -1 if there is none.
// The parts of a sequence match in order, so their literals are in that order.
func (g *Guard) end(t *Text, from int) int {
	switch {
	case g == nil:
		return from
	case g.literal != nil:
		if !t.grams.has(g.grams) {
			return -1
		}
		i := bytes.Index(t.folded[from:], g.literal)
		if i < 0 {
			return -1
		}
		return from + i + len(g.literal)
	case g.all != nil:
		for _, sub := range g.all {
			if from = sub.end(t, from); from < 0 {
				return -1
			}
		}
		return from
	}
	first := -1
	for _, sub := range g.any {
		if end := sub.end(t, from); end >= 0 && (first < 0 || end < first) {
			first = end
		}
	}
	return first
}

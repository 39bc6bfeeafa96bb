package prefilter

import (
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// reach checks whether an expression matches an ASCII text, by sets. Each part of the expression maps the positions at which it
// may begin to those at which it may end. An empty set ends the search, so most texts cost a lookup of one or two literals. A
// repeat such as .{0,200} is one step, while an automaton needs hundreds of states.
type reach struct {
	op       reachOp
	word     *word
	class    *[utf8.RuneSelf]bool
	min, max int // of a repeat; max -1: no upper bound
	subs     []*reach
}

type reachOp int

const (
	reachNothing  reachOp = iota // the empty text
	reachNowhere                 // no text
	reachWord                    // a literal
	reachRun                     // characters of a class, so many
	reachAll                     // parts in sequence
	reachAny                     // one of several parts
	reachRepeat                  // a repeated part
	reachWordEdge                // a condition on the position only
	reachNoWordEdge
	reachTextStart
	reachTextEnd
	reachLineStart
	reachLineEnd
)

// maxTurns is the maximum number of repeats of a part.
const maxTurns = 64

// withoutParts are the expressions that consist of their operation only.
var withoutParts = map[syntax.Op]reachOp{
	syntax.OpNoMatch:        reachNowhere,
	syntax.OpEmptyMatch:     reachNothing,
	syntax.OpBeginLine:      reachLineStart,
	syntax.OpEndLine:        reachLineEnd,
	syntax.OpBeginText:      reachTextStart,
	syntax.OpEndText:        reachTextEnd,
	syntax.OpWordBoundary:   reachWordEdge,
	syntax.OpNoWordBoundary: reachNoWordEdge,
}

// newReach returns nil for unsupported expressions.
func newReach(re *syntax.Regexp) *reach {
	if op, known := withoutParts[re.Op]; known {
		return &reach{op: op}
	}
	switch re.Op {
	case syntax.OpLiteral:
		return literalReach(re)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return &reach{op: reachRun, class: classOf(re), min: 1, max: 1}
	case syntax.OpCapture:
		return newReach(re.Sub[0])
	case syntax.OpStar:
		return repeatReach(re.Sub[0], 0, -1)
	case syntax.OpPlus:
		return repeatReach(re.Sub[0], 1, -1)
	case syntax.OpQuest:
		return repeatReach(re.Sub[0], 0, 1)
	case syntax.OpRepeat:
		return repeatReach(re.Sub[0], re.Min, re.Max)
	case syntax.OpConcat:
		return reachOf(reachAll, re.Sub)
	case syntax.OpAlternate:
		return reachOf(reachAny, re.Sub)
	}
	return nil
}

func reachOf(op reachOp, list []*syntax.Regexp) *reach {
	out := &reach{op: op}
	for _, re := range list {
		sub := newReach(re)
		if sub == nil {
			return nil
		}
		out.subs = append(out.subs, sub)
	}
	return out
}

// literalReach returns the reach of a literal. Other runes do not occur in ASCII texts, except the ones that (?i) treats like
// ASCII letters.
func literalReach(re *syntax.Regexp) *reach {
	if slices.ContainsFunc(re.Rune, isBeyond) {
		return nil
	}
	w := &word{text: string(re.Rune), loose: true}
	for _, r := range re.Rune {
		if r > unicode.MaxASCII {
			return &reach{op: reachNowhere}
		}
		letter := r|0x20 >= 'a' && r|0x20 <= 'z'
		strict := !letter || re.Flags&syntax.FoldCase == 0
		w.strict = append(w.strict, strict)
		w.loose = w.loose && !strict
	}
	w.folded = AppendFolded(nil, w.text)
	w.grams = gramsOf(w.folded)
	return &reach{op: reachWord, word: w}
}

// repeatReach returns the reach of a repeated part: one step if the part is one character.
func repeatReach(re *syntax.Regexp, least, most int) *reach {
	if class := classOf(re); class != nil {
		return &reach{op: reachRun, class: class, min: least, max: most}
	}
	sub := newReach(re)
	if sub == nil || least > maxTurns {
		return nil
	}
	return &reach{op: reachRepeat, subs: []*reach{sub}, min: least, max: most}
}

// classOf returns the ASCII characters that an expression of one character matches; nil for other expressions.
func classOf(re *syntax.Regexp) *[utf8.RuneSelf]bool {
	var out [utf8.RuneSelf]bool
	switch re.Op {
	case syntax.OpCapture:
		return classOf(re.Sub[0])
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			for r := re.Rune[i]; r <= min(re.Rune[i+1], unicode.MaxASCII); r++ {
				out[r] = true
			}
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		for i := range out {
			out[i] = i != '\n' || re.Op == syntax.OpAnyChar
		}
	case syntax.OpLiteral:
		if len(re.Rune) != 1 || re.Rune[0] > unicode.MaxASCII {
			return nil
		}
		r := re.Rune[0]
		out[r] = true
		if other := r ^ 0x20; re.Flags&syntax.FoldCase != 0 && (r|0x20 >= 'a' && r|0x20 <= 'z') {
			out[other] = true
		}
	default:
		return nil
	}
	return &out
}

// in reports whether the text of the board contains a match. The result is unknown if that needs too many sets.
func (r *reach) in(b *board) (found, known bool) {
	b.begin()
	all := b.new()
	all.addRange(0, len(b.text))
	out, known := r.from(b, all)
	return known && out.next(0) >= 0, known
}

// from returns where the expression may end if it begins at one of the positions.
func (r *reach) from(b *board, start places) (end places, known bool) {
	if b.made > maxSets {
		return nil, false
	}
	switch r.op {
	case reachNowhere:
		return b.new(), true
	case reachWord:
		return b.behind(start, r.word), true
	case reachRun:
		return r.run(b, start), true
	case reachAll:
		for _, sub := range r.subs {
			if start, known = sub.from(b, start); !known || start.next(0) < 0 {
				return start, known
			}
		}
		return start, true
	case reachAny:
		out := b.new()
		for _, sub := range r.subs {
			end, known := sub.from(b, start)
			if !known {
				return nil, false
			}
			out.merge(end)
		}
		return out, true
	case reachRepeat:
		return r.repeated(b, start)
	}
	return r.here(b, start), true
}

// here returns the positions that satisfy a condition on the position.
func (r *reach) here(b *board, start places) places {
	out := b.clone(start)
	switch r.op {
	case reachWordEdge:
		out.keep(b.wordEdges())
	case reachNoWordEdge:
		out.drop(b.wordEdges())
	case reachTextStart:
		clear(out)
		if start.has(0) {
			out.add(0)
		}
	case reachTextEnd:
		clear(out)
		if start.has(len(b.text)) {
			out.add(len(b.text))
		}
	case reachLineStart, reachLineEnd:
		clear(out)
		for at := start.next(0); at >= 0; at = start.next(at + 1) {
			starts, ends := at == 0 || b.text[at-1] == '\n', at == len(b.text) || b.text[at] == '\n'
			if r.op == reachLineStart && starts || r.op == reachLineEnd && ends {
				out.add(at)
			}
		}
	}
	return out
}

// run returns where characters of the class lead.
func (r *reach) run(b *board, start places) places {
	out := b.new()
	end, done := 0, 0 // the end of the class characters that begin at the position; out is filled up to done
	for at := start.next(0); at >= 0; at = start.next(at + 1) {
		if end = max(end, at); end == at {
			for end < len(b.text) && r.class[b.text[end]] {
				end++
			}
		}
		lo, hi := at+r.min, end
		if r.max >= 0 {
			hi = min(hi, at+r.max)
		}
		if lo = max(lo, done); lo <= hi {
			out.addRange(lo, hi)
			done = hi
		}
	}
	return out
}

// repeated returns where a repeated part leads.
func (r *reach) repeated(b *board, start places) (end places, known bool) {
	at := start
	for range r.min {
		if at, known = r.subs[0].from(b, at); !known {
			return nil, false
		}
	}
	out := b.clone(at)
	for turn := r.min; r.max < 0 || turn < r.max; turn++ {
		if at, known = r.subs[0].from(b, at); !known {
			return nil, false
		}
		before := b.clone(out)
		if !out.merge(at) {
			break
		}
		at = b.clone(at)
		at.drop(before)
	}
	return out, true
}

package prefilter

import (
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// reach tells whether an expression matches a text of ASCII, by sets: each part of the expression leads from the places of the text
// at which it may begin to all those at which it may end. A part that leads nowhere ends the search, so that most texts cost a
// look at a literal or two; and a repeat such as .{0,200} is one step, where an automaton counts in hundreds of states.
type reach struct {
	op       reachOp
	word     *word
	class    *[utf8.RuneSelf]bool
	min, max int // of a repeat; max -1: without an end
	subs     []*reach
}

type reachOp int

const (
	reachNothing  reachOp = iota // the empty text
	reachNowhere                 // no text
	reachWord                    // a literal
	reachRun                     // characters of a class, so many
	reachAll                     // parts behind each other
	reachAny                     // one of some parts
	reachRepeat                  // a part, so many times
	reachWordEdge                // what asks for its place alone
	reachNoWordEdge
	reachTextStart
	reachTextEnd
	reachLineStart
	reachLineEnd
)

// maxTurns is how often a part may have to be repeated.
const maxTurns = 64

// newReach returns nil for expressions that it cannot say.
func newReach(re *syntax.Regexp) *reach {
	switch re.Op {
	case syntax.OpNoMatch:
		return &reach{op: reachNowhere}
	case syntax.OpEmptyMatch:
		return &reach{op: reachNothing}
	case syntax.OpLiteral:
		return literalReach(re)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return &reach{op: reachRun, class: classOf(re), min: 1, max: 1}
	case syntax.OpBeginLine:
		return &reach{op: reachLineStart}
	case syntax.OpEndLine:
		return &reach{op: reachLineEnd}
	case syntax.OpBeginText:
		return &reach{op: reachTextStart}
	case syntax.OpEndText:
		return &reach{op: reachTextEnd}
	case syntax.OpWordBoundary:
		return &reach{op: reachWordEdge}
	case syntax.OpNoWordBoundary:
		return &reach{op: reachNoWordEdge}
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

// literalReach is that of a literal. What has other runes is in no text of ASCII, but for those that (?i) takes for letters of it.
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

// repeatReach is that of a repeated part: one step where the part is one character.
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

// classOf is which characters of ASCII an expression of one character matches; nil: it is no such expression.
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

// in reports whether the text of the board holds a match. It is not known where that takes too many sets.
func (r *reach) in(b *board) (found, known bool) {
	b.begin()
	all := b.new()
	all.addRange(0, len(b.text))
	out, known := r.from(b, all)
	return known && out.next(0) >= 0, known
}

// from is where the expression may end that begins at one of the places.
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

// here are the places at which nothing but the place is asked for.
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

// run is where characters of the class lead to.
func (r *reach) run(b *board, start places) places {
	out := b.new()
	end, done := 0, 0 // where the characters of the class end that begin at the place; up to where out is filled
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

// repeated is where a part leads to that comes so many times.
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

package prefilter

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// automaton checks whether an expression matches a text, in one or two processor steps for each byte. Its states are sets of
// instructions of the compiled expression, created when a text first reaches them. It is not safe for concurrent use.
type automaton struct {
	prog  *syntax.Prog
	class [utf8.RuneSelf]uint8 // of a byte: the expression does not distinguish bytes of one class
	width int                  // number of classes

	states []state
	next   []int32 // by state and class: the number of the state, unknown or matched
	known  map[string]int32

	finds map[string][]int // cached results of Expression.Find

	todo []uint32 // scratch of step
	seen []bool
	set  []uint32
	key  []byte
}

// state is the position of a search between two runes.
type state struct {
	waiting []uint32 // instructions that continue after the last rune, in order
	idle    bool     // no earlier match continues
	before  rune     // a rune that is equivalent to the last one for word and line boundaries; -1: none
	ends    int8     // whether the end of the text here is a match: yes above 0, no below; 0: not computed yet
}

const (
	unknown = 0
	matched = -1
	first   = 1 // number of the state at the start of a text

	maxStates = 256
)

func newAutomaton(tree *syntax.Regexp) (*automaton, error) {
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, err
	}
	a := &automaton{prog: prog, seen: make([]bool, len(prog.Inst))}
	a.groupBytes()
	a.reset()
	return a, nil
}

// groupBytes computes which bytes the expression does not distinguish.
func (a *automaton) groupBytes() {
	var asks []*syntax.Inst
	told := map[string]bool{}
	for i := range a.prog.Inst {
		inst := &a.prog.Inst[i]
		switch inst.Op {
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			if key := inst.Op.String() + string(inst.Rune) + string(rune(inst.Arg)); !told[key] {
				told[key] = true
				asks = append(asks, inst)
			}
		}
	}
	classes := map[string]uint8{}
	answers := make([]byte, len(asks)+2)
	for b := range rune(utf8.RuneSelf) {
		clear(answers)
		for i, inst := range asks {
			if inst.MatchRune(b) {
				answers[i] = 1
			}
		}
		answers[len(asks)] = byte(kindOf(b))
		n, known := classes[string(answers)]
		if !known {
			n = uint8(len(classes))
			classes[string(answers)] = n
		}
		a.class[b] = n
	}
	a.width = len(classes)
}

// kindOf returns an equivalent rune for word and line boundaries.
func kindOf(r rune) rune {
	switch {
	case r == '\n':
		return '\n'
	case syntax.IsWordChar(r):
		return 'a'
	}
	return ' '
}

// reset deletes all states except the start.
func (a *automaton) reset() {
	a.states, a.next, a.known = append(a.states[:0], state{}), append(a.next[:0], make([]int32, a.width)...), map[string]int32{}
	a.set = append(a.set[:0], uint32(a.prog.Start))
	a.put(-1)
}

// window bounds the matches of a text: none begins before lo, and the first to end does so at hi.
type window struct{ lo, hi int }

// match reports whether the text contains a match, and where.
func (a *automaton) match(text string) (w window, found bool) {
	s := int32(first)
	for i := 0; i < len(text); {
		var n int32
		if c := text[i]; c < utf8.RuneSelf {
			if n = a.next[int(s)*a.width+int(a.class[c])]; n == unknown {
				n = a.step(s, rune(c))
			}
			i++
		} else {
			r, size := utf8.DecodeRuneInString(text[i:])
			n = a.step(s, r)
			i += size
		}
		if n == matched {
			return w, true
		}
		if s, w.hi = n, i; a.states[s].idle {
			w.lo = i
		}
	}
	return w, a.ends(s)
}

// ends reports whether a text that ends in the state contains a match.
func (a *automaton) ends(s int32) bool {
	known := &a.states[s].ends
	if *known == 0 {
		*known = -1
		if a.close(s, -1) {
			*known = 1
		}
	}
	return *known > 0
}

// step returns the state after the rune r.
func (a *automaton) step(s int32, r rune) int32 {
	if a.close(s, r) {
		a.note(s, r, matched)
		return matched
	}
	a.set = a.set[:0]
	for pc, reached := range a.seen {
		if !reached {
			continue
		}
		switch inst := &a.prog.Inst[pc]; inst.Op {
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			if inst.MatchRune(r) {
				a.set = append(a.set, inst.Out)
			}
		}
	}
	a.set = append(a.set, uint32(a.prog.Start)) // a match may start anywhere
	slices.Sort(a.set)
	a.set = slices.Compact(a.set)
	if len(a.states) >= maxStates {
		behind := slices.Clone(a.set)
		a.reset()
		a.set = behind
		return a.put(kindOf(r))
	}
	n := a.put(kindOf(r))
	a.note(s, r, n)
	return n
}

func (a *automaton) note(s int32, r rune, n int32) {
	if r < utf8.RuneSelf {
		a.next[int(s)*a.width+int(a.class[r])] = n
	}
}

// put returns the number of the state with the instructions of a.set.
func (a *automaton) put(before rune) int32 {
	a.key = binary.LittleEndian.AppendUint32(a.key[:0], uint32(before))
	for _, pc := range a.set {
		a.key = binary.LittleEndian.AppendUint32(a.key, pc)
	}
	n, known := a.known[string(a.key)]
	if !known {
		n = int32(len(a.states))
		a.known[string(a.key)] = n
		a.states = append(a.states, state{waiting: slices.Clone(a.set), idle: len(a.set) == 1, before: before})
		a.next = append(a.next, make([]int32, a.width)...)
	}
	return n
}

// close marks in a.seen all instructions that a state reaches before the rune r, -1 at the end of the text. It reports whether
// the match is among them.
func (a *automaton) close(s int32, r rune) bool {
	clear(a.seen)
	holds := syntax.EmptyOpContext(a.states[s].before, r)
	a.todo = append(a.todo[:0], a.states[s].waiting...)
	for len(a.todo) > 0 {
		pc := a.todo[len(a.todo)-1]
		a.todo = a.todo[:len(a.todo)-1]
		if a.seen[pc] {
			continue
		}
		a.seen[pc] = true
		switch inst := &a.prog.Inst[pc]; inst.Op {
		case syntax.InstMatch:
			return true
		case syntax.InstAlt, syntax.InstAltMatch:
			a.todo = append(a.todo, inst.Out, inst.Arg)
		case syntax.InstCapture, syntax.InstNop:
			a.todo = append(a.todo, inst.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(inst.Arg)&^holds == 0 {
				a.todo = append(a.todo, inst.Out)
			}
		}
	}
	return false
}

package prefilter

import (
	"strings"
	"unicode/utf8"
)

// Lines of a log repeat: what was found in a text is kept for the next one that is the same from where matches begin.
const (
	maxRemembered = 64      // texts of one expression
	maxMemory     = 1 << 10 // bytes of one of them
)

func remember[V any](in *map[string]V, text string, value V) {
	switch {
	case len(text) > maxMemory:
		return
	case *in == nil || len(*in) >= maxRemembered:
		*in = map[string]V{}
	}
	(*in)[strings.Clone(text)] = value
}

// try reports whether a match of the expression stands in the window. One rune more of the text at both sides, at which a word
// may end, is all of what is around it that matters; the match itself must not touch them.
func (a *automaton) try(e *Expression, text string, w window) bool {
	_, size := utf8.DecodeRuneInString(text[w.hi:])
	lo := runeBefore(text, w.lo)
	part := text[lo : w.hi+size]
	yes, known := a.tries[part]
	if !known {
		found, within := e.find(part)
		yes = within && found[0] >= w.lo-lo && found[1] <= w.hi-lo
		remember(&a.tries, part, yes)
	}
	return yes
}

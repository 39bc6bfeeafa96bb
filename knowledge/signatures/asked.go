package signatures

import (
	"cmp"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// About returns the signatures that know what a person asks about: a sentence of a log, an error code, a reason of an event. They
// recognise the text itself, or spell the code out; those that say least else come first.
func (s *Set) About(asked string) []*Signature {
	var out []*Signature
	add := func(sig *Signature) {
		if !slices.Contains(out, sig) {
			out = append(out, sig)
		}
	}
	for _, t := range s.Match(asked, "") {
		add(t.Signature)
	}
	if !code.MatchString(asked) {
		return out
	}
	spelled := slices.DeleteFunc(slices.Clone(s.All()), func(sig *Signature) bool { return !sig.spells(asked) })
	slices.SortStableFunc(spelled, func(a, b *Signature) int { return cmp.Compare(len(a.Pattern), len(b.Pattern)) }) // where it is least among other things
	for _, sig := range spelled {
		add(sig)
	}
	return out
}

// code is one word that nobody writes in prose: of several capitals, or with an underscore.
var code = lazyregexp.New(`^[A-Za-z0-9]{1,60}(?:[A-Z_.][A-Za-z0-9]{1,60}){1,12}$`)

// escapes are those of expressions that are a letter: they are no part of the word behind them.
var escapes = lazyregexp.New(`\\[A-Za-z]`)

// spells reports whether the pattern has the word, whole.
func (s *Signature) spells(word string) bool {
	pattern := strings.ReplaceAll(escapes.ReplaceAllString(s.Pattern, " "), `\`, "")
	for at := 0; ; {
		i := strings.Index(pattern[at:], word)
		if i < 0 {
			return false
		}
		lo, hi := at+i, at+i+len(word)
		if (lo == 0 || !isWordByte(pattern[lo-1])) && (hi == len(pattern) || !isWordByte(pattern[hi])) {
			return true
		}
		at = hi
	}
}

func isWordByte(c byte) bool {
	letter := 'a' <= c|0x20 && c|0x20 <= 'z'
	return letter || isDigit(c) || c == '_'
}

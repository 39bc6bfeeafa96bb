package signatures

import (
	"cmp"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// About returns the signatures for a query: a sentence of a log, an error code, a reason of an event. They match the text, or
// contain the code. The most specific come first.
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
	slices.SortStableFunc(spelled, func(a, b *Signature) int { return cmp.Compare(len(a.Pattern), len(b.Pattern)) }) // the most specific first
	for _, sig := range spelled {
		add(sig)
	}
	return out
}

// code matches one word that does not occur in prose: with several capitals, or with an underscore.
var code = lazyregexp.New(`^[A-Za-z0-9]{1,60}(?:[A-Z_.][A-Za-z0-9]{1,60}){1,12}$`)

// escapes match the escapes of expressions that are a letter. They are not part of the word after them.
var escapes = lazyregexp.New(`\\[A-Za-z]`)

// spells reports whether the pattern contains the whole word.
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

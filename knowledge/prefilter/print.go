package prefilter

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
)

// standIn is the first of the private runes that represent classes while an expression is printed.
const standIn = 0x100000

// printed returns re.String() without its cost. String computes the other cases of every rune of a class. For a class such as
// [^"], which has nearly all runes, that takes a thousand times as long as compiling it. Such classes are printed here, with
// their runes for any case.
func printed(re *syntax.Regexp) string {
	if hasFrom(re, standIn) {
		return re.String()
	}
	var wide, classes []*syntax.Regexp
	var texts []string
	var replace func(*syntax.Regexp)
	replace = func(re *syntax.Regexp) {
		if isWide(re) {
			class := *re
			wide, classes = append(wide, re), append(classes, &class)
			r := rune(standIn + len(texts)/2)
			texts = append(texts, fmt.Sprintf(`\x{%X}`, r), classText(re.Rune))
			*re = syntax.Regexp{Op: syntax.OpLiteral, Rune: []rune{r}}
			return
		}
		for _, sub := range re.Sub {
			replace(sub)
		}
	}
	replace(re)
	text := re.String()
	for i, class := range classes {
		*wide[i] = *class
	}
	return strings.NewReplacer(texts...).Replace(text)
}

// isWide reports whether a class extends to the end of Unicode, like all that begin with ^.
func isWide(re *syntax.Regexp) bool {
	n := len(re.Rune)
	return re.Op == syntax.OpCharClass && n > 0 && re.Rune[n-1] >= standIn
}

// hasFrom reports whether a rune at or above least is printed.
func hasFrom(re *syntax.Regexp, least rune) bool {
	if !isWide(re) && slices.ContainsFunc(re.Rune, func(r rune) bool { return r >= least }) {
		return true
	}
	return slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return hasFrom(sub, least) })
}

func classText(ranges []rune) string {
	var b strings.Builder
	b.WriteString(`(?-i:[`)
	for i := 0; i < len(ranges); i += 2 {
		fmt.Fprintf(&b, `\x{%X}-\x{%X}`, ranges[i], ranges[i+1])
	}
	b.WriteString(`])`)
	return b.String()
}

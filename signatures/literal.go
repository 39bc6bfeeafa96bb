package signatures

import (
	"regexp/syntax"
	"strings"
	"unicode"
)

// required returns lower-case strings of which every match of the expression contains at least one, or nil
// if there is no such set with strings of minLiteral bytes. Longer strings are preferred: the scanner looks
// for them first and runs the expression only on the lines that have one.
func required(re *syntax.Regexp) []string {
	set := walk(re)
	if !usable(set) {
		return nil
	}
	return set
}

func walk(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		return pieces(string(re.Rune))
	case syntax.OpCapture, syntax.OpPlus:
		return walk(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min == 0 {
			return nil
		}
		return walk(re.Sub[0])
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			set := walk(sub)
			if !usable(set) {
				return nil
			}
			all = append(all, set...)
		}
		return dedupe(all)
	case syntax.OpConcat:
		var best []string
		for _, set := range concat(re.Sub) {
			if better(set, best) {
				best = set
			}
		}
		return best
	}
	return nil
}

// concat lists the candidate sets of a sequence; neighbouring literals and small classes are joined so that
// "fail(ed|ing) to" keeps its words.
func concat(subs []*syntax.Regexp) [][]string {
	var sets [][]string
	run := []string{""}
	flush := func() {
		var set []string
		for _, s := range run {
			p := pieces(s)
			if !usable(p) {
				set = nil
				break
			}
			set = append(set, p...)
		}
		if usable(set) {
			sets = append(sets, dedupe(set))
		}
		run = []string{""}
	}
	for _, sub := range subs {
		exact := expand(sub)
		if exact != nil && len(run)*len(exact) <= 16 {
			var next []string
			for _, head := range run {
				for _, tail := range exact {
					next = append(next, head+tail)
				}
			}
			run = next
			continue
		}
		flush()
		if exact != nil {
			run = exact
			continue
		}
		if set := walk(sub); usable(set) {
			sets = append(sets, set)
		}
	}
	flush()
	return sets
}

// expand lists all strings that the expression can match, or nil if they are many.
func expand(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		return []string{string(re.Rune)}
	case syntax.OpEmptyMatch, syntax.OpWordBoundary:
		return []string{""}
	case syntax.OpCapture:
		return expand(re.Sub[0])
	case syntax.OpQuest:
		if set := expand(re.Sub[0]); set != nil && len(set) < 8 {
			return append([]string{""}, set...)
		}
	case syntax.OpCharClass:
		var set []string
		for i := 0; i < len(re.Rune); i += 2 {
			for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
				if set = append(set, strings.ToLower(string(r))); len(set) > 16 {
					return nil
				}
			}
		}
		return dedupe(set)
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			set := expand(sub)
			if set == nil || len(all)+len(set) > 16 {
				return nil
			}
			all = append(all, set...)
		}
		return dedupe(all)
	case syntax.OpConcat:
		all := []string{""}
		for _, sub := range re.Sub {
			set := expand(sub)
			if set == nil || len(all)*len(set) > 16 {
				return nil
			}
			var next []string
			for _, head := range all {
				for _, tail := range set {
					next = append(next, head+tail)
				}
			}
			all = next
		}
		return all
	}
	return nil
}

// pieces returns the longest part of a literal that the scanner can search for: ASCII, without quotes and
// backslashes, which may be escaped in the text.
func pieces(s string) []string {
	parts := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return r == '"' || r == '\\' || r > unicode.MaxASCII || r < ' '
	})
	best := ""
	for _, p := range parts {
		if len(p) > len(best) {
			best = p
		}
	}
	if best == "" {
		return nil
	}
	return []string{best}
}

func usable(set []string) bool {
	return len(set) > 0 && len(set) <= maxLiterals && shortest(set) >= minLiteral
}

func shortest(set []string) int {
	n := int(^uint(0) >> 1)
	for _, s := range set {
		n = min(n, len(s))
	}
	return n
}

// better prefers longer literals, then fewer; beyond 12 bytes more length gains nothing.
func better(a, b []string) bool {
	if !usable(a) {
		return false
	}
	if b == nil {
		return true
	}
	la, lb := min(shortest(a), 12), min(shortest(b), 12)
	if la != lb {
		return la > lb
	}
	return len(a) < len(b)
}

func dedupe(set []string) []string {
	seen := map[string]bool{}
	out := set[:0:0]
	for _, s := range set {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

package signatures

import (
	"regexp/syntax"
	"strings"
	"unicode"
)

// required returns lower-case strings such that every match of the expression contains at least one of them. It returns nil if
// there is no such set with strings of minLiteral bytes. If there are several sets, it takes the one that is least frequent in
// healthy logs, because the scanner searches for these strings everywhere, and for the rest only on their lines.
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
			if usable(set) && (best == nil || cost(set) < cost(best)) {
				best = set
			}
		}
		return best
	}
	return nil
}

// concat lists the candidate sets of a sequence. It joins adjacent literals and small classes, so that "fail(ed|ing) to" keeps
// its words.
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
		if exact != nil && len(run)*len(exact) <= maxExpanded {
			run = product(run, exact)
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

// maxExpanded is the maximum number of strings of an expression that expand lists.
const maxExpanded = 16

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
		if set := expand(re.Sub[0]); set != nil && len(set) < maxExpanded/2 {
			return append([]string{""}, set...)
		}
	case syntax.OpCharClass:
		return expandClass(re.Rune)
	case syntax.OpAlternate:
		return expandAlternatives(re.Sub)
	case syntax.OpConcat:
		return expandSequence(re.Sub)
	}
	return nil
}

// expandClass expands a character class: pairs of the first and the last character of a range.
func expandClass(ranges []rune) []string {
	var set []string
	for i := 0; i < len(ranges); i += 2 {
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			if set = append(set, strings.ToLower(string(r))); len(set) > maxExpanded {
				return nil
			}
		}
	}
	return dedupe(set)
}

func expandAlternatives(subs []*syntax.Regexp) []string {
	var all []string
	for _, sub := range subs {
		set := expand(sub)
		if set == nil || len(all)+len(set) > maxExpanded {
			return nil
		}
		all = append(all, set...)
	}
	return dedupe(all)
}

func expandSequence(subs []*syntax.Regexp) []string {
	all := []string{""}
	for _, sub := range subs {
		set := expand(sub)
		if set == nil || len(all)*len(set) > maxExpanded {
			return nil
		}
		all = product(all, set)
	}
	return all
}

func product(heads, tails []string) []string {
	out := make([]string, 0, len(heads)*len(tails))
	for _, head := range heads {
		for _, tail := range tails {
			out = append(out, head+tail)
		}
	}
	return out
}

// pieces returns the best part of a literal to search for: ASCII, without quotes and backslashes, which the text may escape.
func pieces(s string) []string {
	parts := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return r == '"' || r == '\\' || r > unicode.MaxASCII || r < ' '
	})
	best := ""
	for _, p := range parts {
		if best == "" || better(p, best) {
			best = p
		}
	}
	if best == "" {
		return nil
	}
	return []string{best}
}

// better reports whether one literal finds its lines faster than the other: it is rarer in healthy logs, or longer if the other
// is too short to search for.
func better(p, than string) bool {
	rarer := len(p) >= minLiteral && price(p) < price(than)
	return rarer || len(than) < minLiteral && len(p) > len(than)
}

func usable(set []string) bool {
	if len(set) == 0 || len(set) > maxLiterals {
		return false
	}
	for _, s := range set {
		if len(s) < minLiteral {
			return false
		}
	}
	return true
}

// usual are frequent words in healthy logs.
var usual = []string{
	"containerd", "container ", "ontainer ", "containers", "kubelet.go:", "kubelet[", "kubelet", "kubernetes.io", "kubernetes", "namespace",
	"operation", "successfully", "systemd[1]: ", "level=error ", "level=info msg=", "level=warning ", "failed to ", "error: ", "connection", "component",
	"controller", "node_status", "pod sandbox", "kube-system/", "default/", "deployment", "replicaset", "persistent", "volume ", "volumes ",
	"request", "response", "warning ", "message", "reason:", "health", "inodes", "runc init", "umount", "dockerd", "containerd-shim", "process ",
	"docker ", "/dev/", "failed", "denied", "timeout", "status", "attempt", "createcontainer", "startcontainer", "removecontainer", "info ",
	"attachvolume", "attach",
}

// price estimates how frequent the literal is in healthy logs: high if most of it is usual words.
func price(lit string) int {
	if strings.Contains(usualText, strings.TrimSpace(lit)) {
		return 200
	}
	rare := 0
	for _, common := range commonBytes(lit) {
		if !common {
			rare++
		}
	}
	switch {
	case rare >= 8:
		return 1
	case rare >= 5, len(lit) >= 14: // usual words, but an unusual combination
		return 4
	}
	return 200 / (rare + 1)
}

// usualText contains the usual words between line ends, which no literal contains. usualFrom lists them by their first byte.
var usualText = strings.Join(usual, "\n")

var usualFrom = func() (by [256][]string) {
	for _, w := range usual {
		by[w[0]] = append(by[w[0]], w)
	}
	return by
}()

// commonBytes returns which bytes of an ASCII literal are in usual words.
func commonBytes(lit string) []bool {
	common := make([]bool, len(lit))
	for i, b := range []byte(lit) {
		if b == ' ' || b >= '0' && b <= '9' {
			common[i] = true
		}
		for _, w := range usualFrom[b] {
			if strings.HasPrefix(lit[i:], w) {
				for j := range w {
					common[i+j] = true
				}
			}
		}
	}
	return common
}

func cost(set []string) int {
	sum := 0
	for _, s := range set {
		sum += price(s)
	}
	return sum
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

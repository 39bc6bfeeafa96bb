package prefilter

import (
	"bytes"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"
)

// Expression finds the same as regexp.Regexp, at a lower cost for expressions with bounded repeats such as .{0,200}. Those
// compile to hundreds of states, which only the slowest matcher of Go can run. The loose form of the expression has no upper
// bounds. Its paths include those of the exact form, in the same order of preference. If the loose form finds nothing, there is
// no match. If its preferred path respects the bounds, the exact form prefers that path too. The exact form runs only if the
// path violates the bounds. Expression is safe for concurrent use.
type Expression struct {
	reach *reach // for ASCII texts; nil: not supported
	exact func() *regexp.Regexp
	loose func() *loose
	lead  []byte // folded; every match starts with it. nil: unknown, or the start of the text matters
	names []string

	uses     atomic.Int32
	automata sync.Pool // of *automaton, for the loose form
}

// loose is an expression without the upper bounds of its repeats.
type loose struct {
	re     *regexp.Regexp // nil: there are no bounds to remove
	groups []int          // groups that are groups of the exact form, in order, with the whole match
	bounds []bound
	form   *syntax.Regexp // the source of re, or the exact form

	unbounded bool // form is the exact form
}

// automatonFrom is the number of uses after which an expression gets an automaton, which is expensive to create.
const automatonFrom = 50

// bound is a group of the loose form for a bounded repeat.
type bound struct {
	group, most int  // most is the largest number of repeats
	runes       bool // one repeat is one rune; otherwise at least one byte
}

const (
	looseFrom = 8         // lower bounds are cheap
	boundName = "bound0x" // the prefix of the names of groups for bounds
)

// NewExpression prepares an expression that was parsed without an error before.
func NewExpression(expr string) *Expression {
	e := &Expression{
		exact: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) }),
		loose: sync.OnceValue(func() *loose { return newLoose(expr) }),
	}
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		e.exact() // panics with the reason
	}
	if !atStart(tree) {
		e.lead = lead(tree)
	}
	e.reach, e.names = newReach(tree), tree.CapNames()
	return e
}

func newLoose(expr string) *loose {
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return &loose{unbounded: true} // it was parsed before
	}
	var most []bound
	loosen(tree, &most)
	out := &loose{form: tree, unbounded: len(most) == 0}
	if out.unbounded {
		return out
	}
	if out.re, err = regexp.Compile(printed(tree)); err != nil {
		out.re = nil
		return out
	}
	for i, name := range out.re.SubexpNames() {
		if number, is := strings.CutPrefix(name, boundName); is {
			n, _ := strconv.Atoi(number) // loosen wrote it
			out.bounds = append(out.bounds, bound{i, most[n].most, most[n].runes})
			continue
		}
		out.groups = append(out.groups, i)
	}
	return out
}

// loosen removes the upper bounds of repeats, and puts groups around those. It does not change nested repeats, because a group
// in a repeat only returns its last iteration.
func loosen(re *syntax.Regexp, bounds *[]bound) {
	switch re.Op {
	case syntax.OpStar, syntax.OpPlus:
		return
	case syntax.OpRepeat:
		if re.Max < looseFrom || re.Max == re.Min || minLength(re.Sub[0]) == 0 {
			return
		}
		free, most := *re, re.Max
		free.Sub, free.Max = slices.Clone(re.Sub), -1 // re shares its list
		*re = syntax.Regexp{Op: syntax.OpCapture, Name: boundName + strconv.Itoa(len(*bounds)), Sub: []*syntax.Regexp{&free}}
		*bounds = append(*bounds, bound{most: most, runes: oneRune(free.Sub[0])})
		return
	}
	for _, sub := range re.Sub {
		loosen(sub, bounds)
	}
}

func oneRune(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return true
	case syntax.OpLiteral:
		return len(re.Rune) == 1
	}
	return false
}

// minLength returns the minimal number of bytes of a match; 0 if unknown.
func minLength(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1
	case syntax.OpCapture, syntax.OpPlus:
		return minLength(re.Sub[0])
	case syntax.OpRepeat:
		return re.Min * minLength(re.Sub[0])
	case syntax.OpConcat:
		n := 0
		for _, sub := range re.Sub {
			n += minLength(sub)
		}
		return n
	case syntax.OpAlternate:
		n := minLength(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			n = min(n, minLength(sub))
		}
		return n
	}
	return 0
}

// atStart reports whether the expression requires the start of the text or of a line.
func atStart(re *syntax.Regexp) bool {
	return re.Op == syntax.OpBeginText || re.Op == syntax.OpBeginLine || slices.ContainsFunc(re.Sub, atStart)
}

// minLead is the minimal length, in bytes, of a literal that is worth a search for the start of a match.
const minLead = 3

// lead returns the folded literal at the start of every match; nil if unknown.
func lead(re *syntax.Regexp) []byte {
	switch re.Op {
	case syntax.OpLiteral:
		n := 0
		for n < len(re.Rune) && re.Rune[n] <= unicode.MaxASCII && re.Rune[n] >= ' ' {
			n++
		}
		if n >= minLead {
			return AppendFolded(nil, string(re.Rune[:n]))
		}
	case syntax.OpCapture, syntax.OpPlus:
		return lead(re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if sub.Op != syntax.OpWordBoundary && sub.Op != syntax.OpNoWordBoundary && sub.Op != syntax.OpEmptyMatch {
				return lead(sub)
			}
		}
	}
	return nil
}

// Names returns the names of the groups, like regexp.Regexp.SubexpNames.
func (e *Expression) Names() []string { return e.names }

// Match reports whether the text contains a match.
func (e *Expression) Match(t *Text) bool {
	if found, known := e.reaches(t); known {
		return found
	}
	text, _ := e.from(t)
	a := e.automaton()
	if a == nil {
		return e.holds(text)
	}
	defer e.automata.Put(a)
	_, found := a.match(text)
	return found && (e.loose().unbounded || e.holds(text))
}

// reaches is Match for an ASCII text.
func (e *Expression) reaches(t *Text) (found, known bool) {
	if e.reach == nil {
		return false, false
	}
	b := t.onBoard()
	if b == nil {
		return false, false
	}
	return e.reach.in(b)
}

// holds is Match without reach.
func (e *Expression) holds(text string) bool {
	if e.loose().re == nil {
		return e.exact().MatchString(text)
	}
	found, within := e.find(text)
	return found != nil && (within || e.exact().MatchString(text))
}

// Find is like regexp.Regexp.FindStringSubmatchIndex.
func (e *Expression) Find(t *Text) []int {
	if found, known := e.reaches(t); known && !found {
		return nil
	}
	text, skipped := e.from(t)
	a := e.automaton()
	if a == nil {
		return moved(e.groupsIn(text), skipped)
	}
	defer e.automata.Put(a)
	w, found := a.match(text)
	if !found {
		return nil
	}
	lo := runeBefore(text, w.lo)
	groups, known := a.finds[text[lo:]]
	if !known {
		groups = e.groupsIn(text[lo:])
		remember(&a.finds, text[lo:], groups)
	}
	if lo > 0 && groups != nil && groups[0] < w.lo-lo { // it begins with the previous rune, which looks like the start of the text
		return moved(e.groupsIn(text), skipped)
	}
	return moved(groups, skipped+lo)
}

// groupsIn is Find without reach.
func (e *Expression) groupsIn(text string) []int {
	loose := e.loose()
	if loose.re == nil {
		return e.exact().FindStringSubmatchIndex(text)
	}
	found, within := e.find(text)
	switch {
	case found == nil:
		return nil
	case !within:
		return e.exact().FindStringSubmatchIndex(text)
	}
	groups := make([]int, 0, 2*len(loose.groups))
	for _, g := range loose.groups {
		groups = append(groups, found[2*g], found[2*g+1])
	}
	return groups
}

// moved returns the groups shifted by a number of bytes.
func moved(groups []int, by int) []int {
	if by == 0 || groups == nil {
		return groups
	}
	groups = slices.Clone(groups)
	for i := range groups {
		if groups[i] >= 0 {
			groups[i] += by
		}
	}
	return groups
}

// runeBefore returns the start of the previous rune, where a word may end.
func runeBefore(text string, at int) int {
	_, size := utf8.DecodeLastRuneInString(text[:at])
	return at - size
}

// FindString is like regexp.Regexp.FindString.
func (e *Expression) FindString(text string) string {
	found := e.Find(NewText(text))
	if found == nil {
		return ""
	}
	return text[found[0]:found[1]]
}

// from drops the text before the first possible start of a match, except the rune before it, where a word may end.
func (e *Expression) from(t *Text) (rest string, skipped int) {
	text := t.text
	if e.lead == nil || len(t.folded) != len(text) {
		return text, 0
	}
	at := bytes.Index(t.folded, e.lead)
	if at < 0 {
		return "", 0
	}
	at = runeBefore(text, at)
	return text[at:], at
}

// Often marks the expression as frequent, so that it gets an automaton.
func (e *Expression) Often() { e.uses.Store(automatonFrom) }

// automaton returns an automaton for exclusive use, or nil if there is none yet.
func (e *Expression) automaton() *automaton {
	if e.uses.Load() < automatonFrom {
		e.uses.Add(1)
		return nil
	}
	if a, _ := e.automata.Get().(*automaton); a != nil {
		return a
	}
	a, err := newAutomaton(e.loose().form)
	if err != nil {
		return nil
	}
	return a
}

// find runs the loose form, and reports whether the match respects the bounds.
func (e *Expression) find(text string) (groups []int, within bool) {
	loose := e.loose()
	groups = loose.re.FindStringSubmatchIndex(text)
	if groups == nil {
		return nil, false
	}
	for _, b := range loose.bounds {
		lo, hi := groups[2*b.group], groups[2*b.group+1]
		if hi-lo > b.most && (!b.runes || utf8.RuneCountInString(text[lo:hi]) > b.most) {
			return groups, false
		}
	}
	return groups, true
}

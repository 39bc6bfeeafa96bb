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

// Expression finds what a regexp.Regexp finds, cheaper where the expression has bounded repeats such as .{0,200}: those are
// compiled to hundreds of states, with which only the slowest of Go's matchers can run. The loose form of the expression has
// them without their upper bounds. Its paths are those of the exact form and others, in the same order of preference; so where
// it finds nothing, nothing is there, and where the path that it prefers keeps to the bounds, the exact form prefers that one
// too. Only where the path does not keep to them the exact form runs. It is safe for concurrent use.
type Expression struct {
	reach *reach // answers for texts of ASCII; nil: it cannot
	exact func() *regexp.Regexp
	loose func() *loose
	lead  []byte // folded; every match starts with it. nil: not known, or the start of the text matters
	names []string

	uses     atomic.Int32
	automata sync.Pool // of *automaton, for the loose form
}

// loose is an expression without the upper bounds of its repeats.
type loose struct {
	re     *regexp.Regexp // nil: there are no bounds to leave out
	groups []int          // groups that are groups of the exact form, in order, with the whole match
	bounds []bound
	form   *syntax.Regexp // what re was compiled from, or the exact form

	unbounded bool // form is the exact form
}

// automatonFrom is after how many uses an expression gets an automaton: to make one costs as much.
const automatonFrom = 50

// bound is a group of the loose form that stands for a bounded repeat.
type bound struct {
	group, most int  // most is the largest number of repeats
	runes       bool // one repeat is one rune; otherwise one byte at least
}

const (
	looseFrom = 8         // bounds below it are cheap
	boundName = "bound0x" // how the names of groups that stand for bounds begin
)

// NewExpression prepares an expression that was parsed before without an error.
func NewExpression(expr string) *Expression {
	e := &Expression{
		exact: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) }),
		loose: sync.OnceValue(func() *loose { return newLoose(expr) }),
	}
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		e.exact() // panics, and says why
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

// loosen takes the upper bounds away from repeats, and puts groups around those. Within a repeat a group would tell of its last
// turn only; there everything stays.
func loosen(re *syntax.Regexp, bounds *[]bound) {
	switch re.Op {
	case syntax.OpStar, syntax.OpPlus:
		return
	case syntax.OpRepeat:
		if re.Max < looseFrom || re.Max == re.Min || minLength(re.Sub[0]) == 0 {
			return
		}
		free, most := *re, re.Max
		free.Sub, free.Max = slices.Clone(re.Sub), -1 // its own list lies in re
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

// minLength is the number of bytes that every match has at least; 0 where it is not known.
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

// atStart reports whether the expression asks for the start of the text or of a line.
func atStart(re *syntax.Regexp) bool {
	return re.Op == syntax.OpBeginText || re.Op == syntax.OpBeginLine || slices.ContainsFunc(re.Sub, atStart)
}

// minLead is the length from which a literal is worth a search for where a match starts, in bytes.
const minLead = 3

// lead returns the folded literal with which every match starts; nil: none is known.
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

// Names are those of the groups, as of regexp.Regexp.SubexpNames.
func (e *Expression) Names() []string { return e.names }

// Match reports whether the text holds a match.
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

// reaches is Match of a text of ASCII.
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

// holds is Match without help.
func (e *Expression) holds(text string) bool {
	if e.loose().re == nil {
		return e.exact().MatchString(text)
	}
	found, within := e.find(text)
	return found != nil && (within || e.exact().MatchString(text))
}

// Find returns what regexp.Regexp.FindStringSubmatchIndex does.
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
	if lo > 0 && groups != nil && groups[0] < w.lo-lo { // it begins with the rune before, which seems to start the text
		return moved(e.groupsIn(text), skipped)
	}
	return moved(groups, skipped+lo)
}

// groupsIn is Find without help.
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

// moved are the same groups in a text with so much more at its front.
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

// runeBefore is where the rune before the place starts: a word may end there.
func runeBefore(text string, at int) int {
	_, size := utf8.DecodeLastRuneInString(text[:at])
	return at - size
}

// FindString returns what regexp.Regexp.FindString does.
func (e *Expression) FindString(text string) string {
	found := e.Find(NewText(text))
	if found == nil {
		return ""
	}
	return text[found[0]:found[1]]
}

// from leaves out what stands before the first place at which a match can start, but for the rune before it, at which a word
// may end.
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

// Often says that the expression runs so often that it is worth an automaton.
func (e *Expression) Often() { e.uses.Store(automatonFrom) }

// automaton returns one that nobody else uses, or nil: there is none yet.
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

// find runs the loose form, and tells whether what it found keeps to the bounds.
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

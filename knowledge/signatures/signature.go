package signatures

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/knowledge/prefilter"
)

// Certainty is how sure a cause is, given one matching line alone.
type Certainty string

// From the surest to the weakest.
const (
	Certain  Certainty = "certain"
	Likely   Certainty = "likely"
	Possible Certainty = "possible"
)

// Signature is one message pattern. The fields are those of the files, see docs/knowledge.md.
type Signature struct {
	ID        string    `json:"id"`
	Component string    `json:"-"` // from the file's head
	Pattern   string    `json:"pattern"`
	Not       string    `json:"not,omitempty"`
	Says      string    `json:"says"`
	Certainty Certainty `json:"certainty,omitempty"`
	With      []string  `json:"with,omitempty"`
	Beside    []string  `json:"beside,omitempty"`
	Unless    []string  `json:"unless,omitempty"`
	// Differ are two names that the pattern captures: lines in which they are equal do not count.
	Differ []string `json:"differ,omitempty"`
	Kinds  []string `json:"kinds,omitempty"`
	// Speakers are those whose words the signature knows; empty: of any component. From the file's head, unless it has its own.
	Speakers []logline.Speaker `json:"speakers,omitempty"`
	// Provider is the cloud whose words they are; empty: any. From the file's head, unless it has its own.
	Provider string `json:"provider,omitempty"`
	// Ends are the causes, symptoms and signatures of which the line says that they are over.
	Ends []string `json:"ends,omitempty"`
	// Outlives are the causes, symptoms and signatures that are over once the log goes on for a while after the line without
	// them: who was started again after a crash may crash again.
	Outlives []string `json:"outlives,omitempty"`
	// JudgedBy is the id of a rule that knows better than the words alone, where the evidence has what it asks.
	JudgedBy string `json:"judgedBy,omitempty"`
	// Start says that every start of the component prints it; nil: it does not.
	Start *Start `json:"start,omitempty"`
	// Again is after how long a component that works on says it again while the trouble lasts; 0: not known.
	Again Duration `json:"again,omitempty"`
	// Retried says that the component tries again by itself what failed: on a node that is Ready, lines over less than this
	// time are no trouble yet; 0: it does not.
	Retried Duration `json:"retried,omitempty"`
	// Runtime is what the line tells of the container runtime: Silent or Answers; empty: nothing.
	Runtime string `json:"runtime,omitempty"`
	// Provable is where its error can be held against what is so now, so that alone it makes no more than likely: Cloud; empty:
	// nowhere. From the file's head, unless it has its own.
	Provable string `json:"provable,omitempty"`
	Summary  string `json:"summary,omitempty"`
	Since    string `json:"since,omitempty"`
	Until    string `json:"until,omitempty"`
	Source   string `json:"source"`

	// These are made at the first use: most signatures never run, and an expression with bounded repeats takes tens
	// of kilobytes.
	re       func() *prefilter.Expression
	not      *prefilter.Regexp
	guard    func() *prefilter.Guard
	form     func() *prefilter.Guard // guard, for lines whose digits are masked
	asked    *atomic.Int32           // how often the guard was asked, up to maxGuarded
	number   int                     // no other signature has it
	literals []string                // lower case; every match contains one of them
	digits   func() [2]digitsOf      // of the pattern, and of what is not to be there
}

// Start is what every start prints for a moment.
type Start struct {
	// Words are those of a start: a line without them counts at once.
	Words string `json:"words"`
	// Takes is how long a start says so; what is said for longer counts.
	Takes Duration `json:"takes"`
}

// The values of Runtime and Provable.
const (
	Silent  = "silent"  // said while nothing serves the runtime's socket
	Answers = "answers" // said by who got an answer there
	Cloud   = "cloud"
)

// Duration is a time.Duration, in files as Go writes it: 20s, 5m.
type Duration time.Duration

// UnmarshalText reads a duration.
func (d *Duration) UnmarshalText(text []byte) error {
	value, err := time.ParseDuration(string(text))
	*d = Duration(value)
	return err
}

// lazy compiles an expression that has been parsed: nothing else can fail.
func lazy(pattern string) func() *prefilter.Expression {
	return sync.OnceValue(func() *prefilter.Expression { return prefilter.NewExpression("(?i)" + pattern) })
}

const (
	minLiteral  = 5       // bytes; shorter ones would stop the scanner at every other line
	maxPattern  = 2 << 10 // bytes of one pattern
	maxLiterals = 64      // alternatives of one pattern
)

// compile checks the signature and prepares it for matching.
func (s *Signature) compile() error {
	if !isID(s.ID) {
		return fmt.Errorf("signature %q: the id must be words in kebab case", s.ID)
	}
	fail := func(format string, args ...any) error {
		return fmt.Errorf("signature %s: "+format, append([]any{s.ID}, args...)...)
	}
	if !isID(s.Says) && (s.Says != "" || len(s.Ends)+len(s.Outlives) == 0) {
		return fail("says %q: name a cause or a symptom", s.Says)
	}
	for _, speaker := range s.Speakers {
		if !logline.Known(speaker) {
			return fail("speaker %q is not known: see docs/knowledge.md", speaker)
		}
	}
	switch s.Certainty {
	case Certain, Likely, Possible, "":
	default:
		return fail("certainty %q: use certain, likely or possible", s.Certainty)
	}
	if k := slices.IndexFunc(s.Kinds, func(k string) bool { return !slices.Contains(textKinds, k) }); k >= 0 {
		return fail("kind %q: use one of %s", s.Kinds[k], strings.Join(textKinds, ", "))
	}
	switch {
	case s.Runtime != "" && s.Runtime != Silent && s.Runtime != Answers:
		return fail("runtime %q: use %s or %s", s.Runtime, Silent, Answers)
	case s.Provable != "" && s.Provable != Cloud:
		return fail("provable %q: use %s", s.Provable, Cloud)
	case s.Start != nil && (s.Start.Words == "" || s.Start.Takes <= 0):
		return fail("start: say the words that every start prints, and how long it takes")
	case s.JudgedBy != "" && !isID(s.JudgedBy):
		return fail("judgedBy %q: name a rule", s.JudgedBy)
	}
	if s.Source == "" {
		return fail("source is missing: say where the wording was read")
	}
	if len(s.Pattern) > maxPattern || len(s.Not) > maxPattern {
		return fail("pattern is longer than %d bytes", maxPattern)
	}
	tree, err := syntax.Parse("(?i)"+s.Pattern, syntax.Perl)
	if err != nil {
		return fail("pattern: %w", err)
	}
	if !s.differIn(tree.CapNames()) {
		return fail("differ %q: name two groups of the pattern", s.Differ)
	}
	if s.Not != "" {
		if _, err := syntax.Parse("(?i)"+s.Not, syntax.Perl); err != nil {
			return fail("not: %w", err)
		}
	}
	s.literals = required(tree)
	if len(s.literals) == 0 {
		return fail("pattern has no fixed run of %d letters in every branch: add one", minLiteral)
	}
	if len(s.literals) > maxLiterals {
		return fail("pattern has %d alternatives, more than %d: split it", len(s.literals), maxLiterals)
	}
	s.prepare()
	return nil
}

// textKinds are the kinds of text in which a signature may be looked for.
var textKinds = []string{"log", "event", "condition", "status", "command", "cloud"}

// differIn reports whether Differ is empty, or two of the names.
func (s *Signature) differIn(names []string) bool {
	return len(s.Differ) == 0 || len(s.Differ) == 2 && slices.Contains(names, s.Differ[0]) && slices.Contains(names, s.Differ[1])
}

// prepared counts the signatures that were prepared.
var prepared atomic.Int32

// prepare lets a signature that was checked make its expressions when they are first needed.
func (s *Signature) prepare() {
	s.re, s.asked, s.number = lazy(s.Pattern), new(atomic.Int32), int(prepared.Add(1))
	if s.Not != "" {
		s.not = prefilter.Checked("(?i)" + s.Not)
	}
	s.guard = sync.OnceValue(func() *prefilter.Guard {
		tree, err := syntax.Parse("(?i)"+s.Pattern, syntax.Perl)
		if err != nil {
			return nil // it was parsed when it was checked
		}
		return prefilter.NewGuard(tree)
	})
	s.digits = sync.OnceValue(func() [2]digitsOf { return [2]digitsOf{digitsIn(s.Pattern), digitsIn(s.Not)} })
	s.form = sync.OnceValue(func() *prefilter.Guard { return s.guard().Masked() })
}

// AppliesTo reports whether the signature may be used on this kind of text.
func (s *Signature) AppliesTo(kind string) bool {
	if len(s.Kinds) == 0 || kind == "" {
		return true
	}
	for _, k := range s.Kinds {
		if k == kind {
			return true
		}
	}
	return false
}

// often is after how many lines an automaton, which takes a while to make, is worth it.
const often = 1000

// mayMatch reports whether the line has the literals of the signature.
func (s *Signature) mayMatch(line *prefilter.Text) bool {
	if s.asked.Load() < often && s.asked.Add(1) >= often {
		s.re().Often()
	}
	return s.guard().Pass(line)
}

// Match reports whether the line shows the signature, and returns the named captures (nil where it has none).
func (s *Signature) Match(line string) (map[string]string, bool) {
	groups, ok := s.groups(prefilter.NewText(withoutHost(line)))
	if !ok {
		return nil, false
	}
	return s.captured(line, groups), true
}

// groups reports whether the line shows the signature, and where its groups are; none for one that captures nothing.
func (s *Signature) groups(line *prefilter.Text) (groups []int, ok bool) {
	groups, ok = s.groupsOfPattern(line)
	if !ok || s.not != nil && s.not.Match(line) {
		return nil, false
	}
	if len(s.Differ) == 2 {
		if captures := s.captured(line.String(), groups); strings.EqualFold(captures[s.Differ[0]], captures[s.Differ[1]]) {
			return nil, false
		}
	}
	return groups, true
}

func (s *Signature) groupsOfPattern(line *prefilter.Text) (groups []int, ok bool) {
	re := s.re()
	if slices.ContainsFunc(re.Names(), func(name string) bool { return name != "" }) {
		groups = re.Find(line)
		return groups, groups != nil
	}
	return nil, re.Match(line) // costs half of finding where
}

// captured are the named captures of a line in which the groups are there; nil without any.
func (s *Signature) captured(line string, groups []int) map[string]string {
	if groups == nil {
		return nil
	}
	var captures map[string]string
	for i, name := range s.re().Names() {
		if name == "" || groups[2*i] < 0 {
			continue
		}
		if captures == nil {
			captures = map[string]string{}
		}
		if v := line[groups[2*i]:groups[2*i+1]]; captures[name] == "" {
			captures[name] = v
		}
	}
	return captures
}

func isID(s string) bool {
	if s == "" || len(s) > 100 {
		return false
	}
	for i, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
		case r == '-' && i > 0 && i < len(s)-1:
		default:
			return false
		}
	}
	return true
}

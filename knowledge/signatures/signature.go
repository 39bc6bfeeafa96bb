package signatures

import (
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/knowledge/prefilter"
)

// Certainty is how certain a cause is, given only one matching line.
type Certainty string

// From the most certain to the least.
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
	// Differ names two captures of the pattern. Lines in which they are equal do not match.
	Differ []string `json:"differ,omitempty"`
	Kinds  []string `json:"kinds,omitempty"`
	// Speakers are the components that write the message; empty: any component. Default: the value in the file's head.
	Speakers []logline.Speaker `json:"speakers,omitempty"`
	// Provider is the cloud that writes the message; empty: any. Default: the value in the file's head.
	Provider string `json:"provider,omitempty"`
	// Ends lists the causes, symptoms and signatures that are over after the line.
	Ends []string `json:"ends,omitempty"`
	// Outlives lists the causes, symptoms and signatures that are over if the log continues for a while after the line without
	// them. A process that restarts after a crash may crash again.
	Outlives []string `json:"outlives,omitempty"`
	// JudgedBy is the id of a rule that overrides the message, if the evidence contains what the rule needs.
	JudgedBy string `json:"judgedBy,omitempty"`
	// Start: every start of the component prints it; nil: it does not.
	Start *Start `json:"start,omitempty"`
	// Again is the interval at which a running component repeats the message while the problem lasts; 0: unknown.
	Again Duration `json:"again,omitempty"`
	// Retried: the component retries the failed operation. On a node that is Ready, lines over less than this time are not a
	// problem yet; 0: it does not retry.
	Retried Duration `json:"retried,omitempty"`
	// Runtime is the state of the container runtime that the line shows: Silent or Answers; empty: none.
	Runtime string `json:"runtime,omitempty"`
	// Provable is where its error can be compared with the current state, so that the line alone is at most likely: Cloud;
	// empty: nowhere. Default: the value in the file's head.
	Provable string `json:"provable,omitempty"`
	Summary  string `json:"summary,omitempty"`
	Since    string `json:"since,omitempty"`
	Until    string `json:"until,omitempty"`
	Source   string `json:"source"`

	// These are created at the first use. Most signatures never run, and an expression with bounded repeats takes tens of
	// kilobytes.
	re       func() *prefilter.Expression
	not      *prefilter.Regexp
	guard    func() *prefilter.Guard
	form     func() *prefilter.Guard // the guard for lines with masked digits
	asked    *atomic.Int32           // how often the guard was used, up to maxGuarded
	number   int                     // unique
	literals []string                // lower case; every match contains one of them
	digits   func() [2]digitsOf      // of the pattern, and of the exclusion
}

// Start is a message that every start prints for a short time.
type Start struct {
	// Words are the words of a start. A line without them counts at once.
	Words string `json:"words"`
	// Takes is how long a start prints the message. If it is printed for longer, it counts.
	Takes Duration `json:"takes"`
}

// Values of Runtime and Provable.
const (
	Silent  = "silent"  // written while nothing serves the runtime's socket
	Answers = "answers" // written by a client that got an answer there
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

// lazy compiles an expression that was parsed before, so it cannot fail.
func lazy(pattern string) func() *prefilter.Expression {
	return sync.OnceValue(func() *prefilter.Expression { return prefilter.NewExpression("(?i)" + pattern) })
}

// prepared counts the prepared signatures.
var prepared atomic.Int32

// prepare makes a checked signature create its expressions at the first use.
func (s *Signature) prepare() {
	s.re, s.asked, s.number = lazy(s.Pattern), new(atomic.Int32), int(prepared.Add(1))
	if s.Not != "" {
		s.not = prefilter.Checked("(?i)" + s.Not)
	}
	s.guard = sync.OnceValue(func() *prefilter.Guard {
		tree, err := syntax.Parse("(?i)"+s.Pattern, syntax.Perl)
		if err != nil {
			return nil // it was parsed at the check
		}
		return prefilter.NewGuard(tree)
	})
	s.digits = sync.OnceValue(func() [2]digitsOf { return [2]digitsOf{digitsIn(s.Pattern), digitsIn(s.Not)} })
	s.form = sync.OnceValue(func() *prefilter.Guard { return s.guard().Masked() })
}

// AppliesTo reports whether the signature applies to this kind of text.
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

// often is the number of lines after which an automaton is worth its cost.
const often = 1000

// mayMatch reports whether the line contains the literals of the signature.
func (s *Signature) mayMatch(line *prefilter.Text) bool {
	if s.asked.Load() < often && s.asked.Add(1) >= often {
		s.re().Often()
	}
	return s.guard().Pass(line)
}

// Match reports whether the line matches the signature, and returns the named captures (nil if it has none).
func (s *Signature) Match(line string) (map[string]string, bool) {
	groups, ok := s.groups(prefilter.NewText(withoutHost(line)))
	if !ok {
		return nil, false
	}
	return s.captured(line, groups), true
}

// groups reports whether the line matches the signature, and returns its groups; none if it captures nothing.
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
	return nil, re.Match(line) // half the cost of the position
}

// captured returns the named captures of a line with these groups; nil if there are none.
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

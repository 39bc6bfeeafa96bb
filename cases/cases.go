package cases

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/triage"
)

// Case is recorded evidence with its confirmed cause.
type Case struct {
	Name     string // the path that it was read from
	Truth    Truth
	Evidence fs.FS
}

// Truth is what was confirmed about a case.
type Truth struct {
	Class      string   `json:"class"`
	Secondary  []string `json:"secondary,omitempty"`
	Need       string   `json:"need,omitempty"`
	Not        []string `json:"not,omitempty"`
	Provenance string   `json:"provenance,omitempty"`
	Source     string   `json:"source,omitempty"`
	Misleading bool     `json:"misleading,omitempty"`
	Thin       bool     `json:"thin,omitempty"`
	Truth      string   `json:"truth,omitempty"`
	Certainty  string   `json:"confidence,omitempty"` // the key of cases
	Note       string   `json:"note,omitempty"`
	// Decisive are parts of the lines that prove the cause. A report must show one of them.
	Decisive []string `json:"decisive,omitempty"`
	// Faults is how many independent faults the report must count; 0: not checked.
	Faults int `json:"faults,omitempty"`
	// Remedies are parts of the titles or commands that a report must show in the first two remedies of the first finding.
	Remedies []string `json:"remedies,omitempty"`
	// NoRemedy are parts that must not occur in any title or command of a remedy or check of the first finding.
	NoRemedy []string `json:"noRemedy,omitempty"`
	// Verdict is the expected verdict of the report; empty: any.
	Verdict triage.Verdict `json:"verdict,omitempty"`
}

// Classes of cases without a cause, or with a cause that is not in a catalog.
const (
	None    = "none"    // nothing is wrong
	Unknown = "unknown" // the evidence is not sufficient
	Other   = "other"   // no cause of the catalog matches
)

// passed is the class of cases with a short problem. A report that lists it as resolved is correct too.
const passed = "no-fault-transient"

// Accepts reports whether a cause is the confirmed one, or an accepted alternative.
func (t Truth) Accepts(cause string) bool {
	return cause == t.Class || slices.Contains(t.Secondary, cause)
}

// Judge returns what is wrong with the report, or "".
func (c Case) Judge(r *triage.Report) string {
	var problems []string
	if wrong := c.Truth.judgeFirst(r); wrong != "" {
		problems = append(problems, wrong)
	}
	for _, f := range r.Findings {
		if slices.Contains(c.Truth.Not, f.Cause) {
			problems = append(problems, "must not find "+f.Cause)
		}
	}
	for _, s := range r.Symptoms {
		if s.ExplainedBy == "" && slices.Contains(c.Truth.Not, s.ID) {
			problems = append(problems, "must not show "+s.ID)
		}
	}
	if n := len(r.Independent()); c.Truth.Faults > 0 && n != c.Truth.Faults {
		problems = append(problems, fmt.Sprintf("counts %d independent faults, want %d", n, c.Truth.Faults))
	}
	if c.Truth.Verdict != "" && r.Verdict != c.Truth.Verdict {
		problems = append(problems, fmt.Sprintf("the verdict is %s, want %s", r.Verdict, c.Truth.Verdict))
	}
	problems = append(problems, c.Truth.judgeRemedies(r)...)
	problems = append(problems, r.Contradictions()...)
	return strings.Join(problems, "; ")
}

// judgeFirst returns what is wrong with the first cause of the report, or "".
func (t Truth) judgeFirst(r *triage.Report) string {
	first, found := "nothing", len(r.Findings) > 0
	if found {
		first = r.Findings[0].Cause
	}
	switch {
	case t.Class == None && found:
		return "found " + first + " where nothing is wrong"
	case t.Class == Unknown && found:
		return "named " + first + " where the evidence is not enough"
	case t.Class == None, t.Class == Unknown, first == t.Class, t.tolerates(first, r):
		return ""
	}
	return fmt.Sprintf("first is %s, want %s", first, t.Class)
}

// UnknownID returns the first id of the truth that is neither a class nor known, or "". A case with a misspelt id could not
// fail.
func (t Truth) UnknownID(known func(id string) bool) string {
	if !slices.Contains([]string{None, Unknown, Other, passed}, t.Class) && !known(t.Class) {
		return t.Class
	}
	for _, id := range slices.Concat(t.Secondary, t.Not) {
		if !known(id) {
			return id
		}
	}
	return ""
}

// tolerates reports whether an answer other than the class is accepted. Lab recordings follow the scorecard: an answer that is
// true but less specific, or none, counts as unknown, and the report must name the missing evidence.
func (t Truth) tolerates(first string, r *triage.Report) bool {
	if t.Class == passed && len(r.Findings) == 0 && slices.ContainsFunc(r.Over, func(o triage.Over) bool { return t.Accepts(o.Cause) }) {
		return true
	}
	wider := slices.Contains(t.Secondary, first)
	if t.Provenance != "recorded" {
		return wider
	}
	asks := t.Need != "" && slices.ContainsFunc(r.NotChecked, func(n triage.NotChecked) bool { return strings.Contains(string(n.How), t.Need) })
	return asks && (wider || len(r.Findings) == 0)
}

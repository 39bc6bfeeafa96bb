package triage

import (
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// State is the state of a cause in the later report.
type State string

// The states. Gone needs proof: a fact that rules the cause out, or the same rules on the same kind of evidence without a finding.
// Unseen means that the evidence for it was not read again.
const (
	Gone   State = "clear"
	Stays  State = "found"
	Unseen State = "unknown"
	Newly  State = "new"
)

// Comparison compares one report with a later one, in its stable JSON form.
type Comparison struct {
	Before  *time.Time `json:"before"` // when the first was taken
	After   *time.Time `json:"after"`
	Changes []Change   `json:"changes"` // earlier findings in their order, then new ones
}

// Change is the state of a cause on a subject in the earlier and the later report.
type Change struct {
	Cause   string           `json:"cause"`
	Title   string           `json:"title"`
	Subject evidence.Subject `json:"subject"`
	Now     State            `json:"now"`
	Because string           `json:"because"`
}

// Reread reports whether the evidence on which these rules claimed a cause of the subject was read again, and what was missing.
type Reread func(rules []string, subject evidence.Subject) (again bool, missing string)

// Compare returns the state of each cause of the first report. Without a Reread, a cause is Gone only if it is ruled out or
// resolved.
func Compare(before, after *Report, reread Reread) *Comparison {
	c := &Comparison{Before: before.TakenAt, After: after.TakenAt, Changes: []Change{}}
	for _, f := range before.Findings {
		if f.Severity == catalog.Info {
			continue // nothing to fix
		}
		for _, subject := range f.subjects() {
			ch := Change{Cause: f.Cause, Title: f.Title, Subject: subject}
			ch.Now, ch.Because = became(&f, subject, after, reread)
			c.Changes = append(c.Changes, ch)
		}
	}
	for _, f := range after.Findings {
		for _, subject := range f.subjects() {
			if f.Severity == catalog.Info {
				continue
			}
			if _, known := finds(before, f.Cause, subject); !known {
				c.Changes = append(c.Changes, Change{f.Cause, f.Title, subject, Newly, f.Summary})
			}
		}
	}
	return c
}

func became(f *Finding, subject evidence.Subject, after *Report, reread Reread) (State, string) {
	if now, found := finds(after, f.Cause, subject); found {
		return Stays, now.Summary
	}
	for _, r := range after.RuledOut {
		if r.Cause == f.Cause && r.Subject == subject {
			return Gone, r.Because
		}
	}
	for _, o := range after.Over {
		if o.Cause == f.Cause && o.Subject == subject {
			return Gone, o.EndedBy
		}
	}
	if reread == nil || len(f.Rules) == 0 {
		return Unseen, "nothing rules it out"
	}
	again, missing := reread(f.Rules, subject)
	if !again {
		return Unseen, missing
	}
	return Gone, "the same rules ran again and no longer find it"
}

func finds(r *Report, cause string, subject evidence.Subject) (Finding, bool) {
	for _, f := range r.Findings {
		if f.Cause == cause && slices.Contains(f.subjects(), subject) {
			return f, true
		}
	}
	return Finding{}, false
}

func (f *Finding) subjects() []evidence.Subject {
	if len(f.Subjects) == 0 {
		return []evidence.Subject{f.Subject}
	}
	return f.Subjects
}

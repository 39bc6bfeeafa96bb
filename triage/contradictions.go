package triage

import (
	"fmt"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// Contradictions returns, as text, the statements of a report that cannot be true together. A report from Run has none.
//
//   - A cause found on a subject is not ruled out on it, nor resolved there after the finding was last seen.
//   - A cause that explains something is a current finding.
//   - A HEALTHY report has no findings above info.
//   - Every finding belongs to one group.
func (r *Report) Contradictions() []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	found := map[string]*Finding{}
	for i := range r.Findings {
		f := &r.Findings[i]
		found[f.Cause] = f
		if r.Verdict == Healthy && f.Severity != catalog.Info {
			say("the verdict is healthy, but %s was found", f.Cause)
		}
	}
	for _, x := range r.RuledOut {
		if f := found[x.Cause]; f != nil && f.on(x.Subject) {
			say("%s was found on %s, but is ruled out there: %s", x.Cause, x.Subject, x.Because)
		}
	}
	for _, o := range r.Over {
		if f := found[o.Cause]; f != nil && f.on(o.Subject) && f.lastSeenBefore(o.To) {
			say("%s was found on %s, but was resolved after it was last seen", o.Cause, o.Subject)
		}
	}
	for _, f := range r.Findings {
		if f.ExplainedBy != "" && found[f.ExplainedBy] == nil {
			say("%s follows from %s, which was not found", f.Cause, f.ExplainedBy)
		}
	}
	for _, s := range r.Symptoms {
		if s.ExplainedBy != "" && found[s.ExplainedBy] == nil {
			say("%s is explained by %s, which was not found", s.ID, s.ExplainedBy)
		}
		if r.Verdict == Healthy && s.ExplainedBy == "" {
			say("the verdict is healthy, but nothing explains %s", s.ID)
		}
	}
	for cause := range found {
		if n := groupsWith(r.Groups, cause); n != 1 {
			say("%s is in %d groups", cause, n)
		}
	}
	slices.Sort(out)
	return out
}

func (f *Finding) on(subject evidence.Subject) bool {
	if f.about != nil {
		return f.about[subject]
	}
	return f.Subject == subject || slices.Contains(f.Subjects, subject)
}

// lastSeenBefore reports whether both times are known, and the finding was last seen before the end.
func (f *Finding) lastSeenBefore(end *time.Time) bool {
	return end != nil && f.LastSeen != nil && end.After(*f.LastSeen)
}

func groupsWith(groups []Group, cause string) int {
	n := 0
	for _, g := range groups {
		if slices.Contains(g.Findings, cause) {
			n++
		}
	}
	return n
}

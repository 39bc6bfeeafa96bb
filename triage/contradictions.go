package triage

import (
	"fmt"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
)

// Contradictions returns, as text, the statements of a report that cannot be true together. A report from Run has none.
//
//   - A HEALTHY report has no findings above info.
//   - A cause found on a subject is not ruled out on it, nor resolved there after the finding was last seen.
//   - A cause that explains something is a current finding.
//   - Every finding belongs to one group.
func (r *Report) Contradictions() []string {
	found := map[string]*Finding{}
	for i := range r.Findings {
		found[r.Findings[i].Cause] = &r.Findings[i]
	}
	out := slices.Concat(r.unhealthy(), r.denied(found), r.unfounded(found), r.misgrouped(found))
	slices.Sort(out)
	return out
}

// unhealthy returns what contradicts the verdict HEALTHY.
func (r *Report) unhealthy() (out []string) {
	if r.Verdict != Healthy {
		return nil
	}
	for _, f := range r.Findings {
		if !f.mild() {
			out = append(out, fmt.Sprintf("the verdict is healthy, but %s was found", f.Cause))
		}
	}
	for _, s := range r.Symptoms {
		if s.ExplainedBy == "" {
			out = append(out, fmt.Sprintf("the verdict is healthy, but nothing explains %s", s.ID))
		}
	}
	return out
}

// denied returns the findings that are also ruled out or resolved.
func (r *Report) denied(found map[string]*Finding) (out []string) {
	for _, x := range r.RuledOut {
		if f := found[x.Cause]; f != nil && f.on(x.Subject) {
			out = append(out, fmt.Sprintf("%s was found on %s, but is ruled out there: %s", x.Cause, x.Subject, x.Because))
		}
	}
	for _, o := range r.Over {
		if f := found[o.Cause]; f != nil && f.on(o.Subject) && f.lastSeenBefore(o.To) {
			out = append(out, fmt.Sprintf("%s was found on %s, but was resolved after it was last seen", o.Cause, o.Subject))
		}
	}
	return out
}

// unfounded returns what a cause explains that was not found.
func (r *Report) unfounded(found map[string]*Finding) (out []string) {
	for _, f := range r.Findings {
		if f.ExplainedBy != "" && found[f.ExplainedBy] == nil {
			out = append(out, fmt.Sprintf("%s follows from %s, which was not found", f.Cause, f.ExplainedBy))
		}
	}
	for _, s := range r.Symptoms {
		if s.ExplainedBy != "" && found[s.ExplainedBy] == nil {
			out = append(out, fmt.Sprintf("%s is explained by %s, which was not found", s.ID, s.ExplainedBy))
		}
	}
	return out
}

// misgrouped returns the findings that are in no group or in several.
func (r *Report) misgrouped(found map[string]*Finding) (out []string) {
	for cause := range found {
		if n := groupsWith(r.Groups, cause); n != 1 {
			out = append(out, fmt.Sprintf("%s is in %d groups", cause, n))
		}
	}
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

package check

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
)

// Checks returns the ids of all checks.
func Checks() []string {
	var out []string
	for _, c := range slices.Concat(checks, upgradeChecks, cloudChecks) {
		out = append(out, c.id)
	}
	return out
}

// Except removes the subjects with an exception, and updates the verdict. A weakness keeps its commands only if it keeps all
// subjects, because commands do not belong to one subject each.
func (r *Review) Except(exception func(check string, on evidence.Subject) *triage.Exception) {
	left := []Weakness{}
	for _, w := range r.Weaknesses {
		kept := w
		kept.Subjects, kept.Details = nil, nil
		for i, on := range w.Subjects {
			if e := exception(w.Check, on); e != nil {
				r.Ignored = append(r.Ignored, Ignored{w.Check, w.Harm, on, w.Details[i], *e})
				continue
			}
			kept.Subjects, kept.Details = append(kept.Subjects, on), append(kept.Details, w.Details[i])
		}
		if len(kept.Subjects) < len(w.Subjects) {
			kept.Commands = []shell.Text{}
		}
		if len(kept.Subjects) > 0 {
			left = append(left, kept)
		}
	}
	r.Weaknesses = left
	if len(left) == 0 && r.Verdict == Findings {
		r.Verdict = Clear
		if !r.seen {
			r.Verdict = Unknown
		}
	}
}

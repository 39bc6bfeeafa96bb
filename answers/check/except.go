package check

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
)

// Checks are the ids of all checks.
func Checks() []string {
	var out []string
	for _, c := range slices.Concat(checks, upgradeChecks, cloudChecks) {
		out = append(out, c.id)
	}
	return out
}

// Except leaves out the subjects of weaknesses that have an exception, with the verdict of what is left. A weakness keeps its
// commands only where it keeps all of its subjects: they are not of one subject each.
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

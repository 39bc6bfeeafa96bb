package report

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// exclusion is a cause that was ruled out for one reason, and the subjects.
type exclusion struct {
	cause, because string
	subjects       []evidence.Subject
}

func (e exclusion) says() string {
	part := slices.DeleteFunc(slices.Clone(e.subjects), whole)
	if who := subjects(part, 3); who != "" && len(part) == len(e.subjects) {
		return e.because + " (" + who + ")"
	}
	return e.because
}

// whole reports whether the subject is everything that the evidence is about.
func whole(s evidence.Subject) bool { return s.IsZero() || s.Kind == "Cluster" }

// excluded joins ruled-out causes by cause and reason, because in a large cluster each node has one. It omits a cause that was
// found on the same subject, or anywhere if it is ruled out for everything: a report must not contradict itself.
func excluded(r *triage.Report) []exclusion {
	on := map[string][]evidence.Subject{}
	for _, f := range r.Findings {
		on[f.Cause] = append(append(on[f.Cause], f.Subject), f.Subjects...)
	}
	var out []exclusion
	at := map[[2]string]int{}
	for _, x := range r.RuledOut {
		if found := on[x.Cause]; len(found) > 0 && (whole(x.Subject) || slices.Contains(found, x.Subject)) {
			continue
		}
		key := [2]string{x.Cause, x.Because}
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, exclusion{cause: x.Cause, because: x.Because})
		}
		out[i].subjects = append(out[i].subjects, x.Subject)
	}
	return out
}

// excludedCauses returns the causes with the subjects they are ruled out for, unless that is everything: disk-full (n1, n2).
func excludedCauses(groups []exclusion) []string {
	var causes []string
	everywhere, on := map[string]bool{}, map[string][]string{}
	for _, g := range groups {
		if !slices.Contains(causes, g.cause) {
			causes = append(causes, g.cause)
		}
		for _, s := range g.subjects {
			name := strings.TrimPrefix(s.String(), s.Kind+" ")
			if whole(s) {
				everywhere[g.cause] = true
			} else if !slices.Contains(on[g.cause], name) {
				on[g.cause] = append(on[g.cause], name)
			}
		}
	}
	return apply(causes, func(cause string) string {
		if everywhere[cause] || len(on[cause]) == 0 {
			return cause
		}
		return cause + " (" + wording.First(on[cause], 2) + ")"
	})
}

func (t *text) ruledOut(groups []exclusion) {
	if len(groups) == 0 {
		return
	}
	if !t.style.Wide {
		t.line("\n%s %s", t.style.paint(bold, "Ruled out"), t.briefly(excludedCauses(groups)))
		return
	}
	t.section("Ruled out")
	for _, g := range groups {
		t.paragraph(g.cause + ": " + g.says())
	}
}

// briefly names as many causes as fit into a few rows after the head of their section.
func (t *text) briefly(causes []string) string {
	for n := screenExcluded; ; n-- {
		says := wording.WrapFrom(wording.First(causes, n), len("Ruled out "), t.style.width(), margin)
		if n == 1 || strings.Count(says, "\n") < rowsExcluded {
			return says
		}
	}
}

package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// Limits of the one-screen form.
const (
	screenEvidence = 4
	screenExplains = 3
	screenConfirm  = 1
	screenRemedies = 2
	screenCommands = 4
	screenCautions = 2
	screenOthers   = 8
	screenWhole    = 3 // findings whose whole hit is shown
	screenSymptoms = 5
	screenExcluded = 8 // ruled-out causes, if they fit into this number of rows:
	rowsExcluded   = 3
	screenGaps     = 3
	screenWay      = 400 // characters of how to close a gap
	screenKinds    = 4
)

// Text writes the terminal form: one screen, or everything.
func Text(w io.Writer, r *triage.Report, style Style) error {
	r = cleaned(r)
	if !style.Wide && r.Trace == nil {
		return firstScreen(w, r, style)
	}
	t := text{screen{style: style}}
	t.head(r)
	t.faults(r)
	t.cohorts(cohorts(r))
	answered := likelyCause(r)
	if !answered {
		t.standsOut(r)
	}
	for i, f := range r.Findings {
		if i > 0 && !style.Wide {
			t.others(r)
			break
		}
		t.finding(i+1, f, r)
	}
	t.symptoms(r.Symptoms)
	if answered {
		t.standsOut(r)
	}
	t.apart(r)
	t.before(r)
	t.waiting(r)
	writeOver(&t.screen, r.Over, r.TakenAt)
	t.ruledOut(r)
	t.quiet(r)
	t.notChecked(r)
	writeKnowledge(&t.screen, r.Knowledge)
	t.trace(r.Trace)
	_, err := io.WriteString(w, t.String())
	return err
}

type text struct{ screen }

func (t *text) head(r *triage.Report) {
	rest := r.Source
	if r.TakenAt != nil {
		rest += ", as of " + wording.Instant(*r.TakenAt)
	}
	rest = joined("; ", rest, nodesSay(r.Impact, r.TakenAt))
	t.line("%s  %s", t.style.verdict(shownVerdict(r)), wording.WrapFrom(rest, len(shownVerdict(r))+2, t.style.width(), margin))
	if len(r.Findings) == 0 {
		t.line("\n%s", wording.Wrap(verdictSays(r), t.style.width(), ""))
	}
	if says := readInPart(r.ReadInPart); says != "" {
		t.line("\n%s", wording.Wrap(says, t.style.width(), margin))
	}
	if says := impactSays(r.Impact); says != "" {
		t.line("")
		t.labelled("Impact", says)
	}
}

// noAnswer returns verdictSays with what prevents another verdict.
func noAnswer(r *triage.Report) string {
	return strings.TrimSpace(verdictSays(r) + " " + readInPart(r.ReadInPart))
}

// verdictSays returns the answer if no cause was found.
func verdictSays(r *triage.Report) string {
	switch shownVerdict(r) {
	case filtered:
		return fmt.Sprintf("No finding matches the filter: %s. Findings hidden: %d.", chosen(r.Filter), r.Filter.LeftOut)
	case triage.Healthy:
		if len(r.Waiting) > 0 {
			return "No problem found in the checked evidence. Some pods are Pending."
		}
		if len(r.Ignored) > 0 || r.Filter != nil {
			return "No other problem found in the checked evidence."
		}
		return "No problem found in the checked evidence."
	case triage.Unclear:
		if len(r.ReadInPart) > 0 {
			return "Not enough evidence: no cause found in the evidence that was read."
		}
		return "Not enough evidence: no cause found in it."
	}
	return "There is a problem, but no cause was found in this evidence."
}

func (t *text) cohorts(list []triage.Cohort) {
	for _, c := range list {
		t.line("\n%s", wording.Wrap(cohortSays(c), t.style.width(), margin))
	}
}

func cohortSays(c triage.Cohort) string {
	var shared []string
	for _, k := range sortedKeys(c.Shared) {
		if k != "minute" || c.Since == nil {
			shared = append(shared, k+" "+c.Shared[k])
		}
	}
	if len(c.Nodes) == 1 {
		return "Differences between " + c.Nodes[0] + " and healthy nodes of the same kind: " + strings.Join(shared, ", ") + "."
	}
	out := fmt.Sprintf("%d nodes failed together", len(c.Nodes))
	if c.Since != nil {
		out += " at " + wording.Instant(*c.Since)
	}
	out += " (" + wording.First(c.Nodes, 3) + ")"
	if len(shared) == 0 {
		return out + "."
	}
	return out + ". In common, unlike healthy nodes: " + strings.Join(shared, ", ") + "."
}

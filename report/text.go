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
	d := newDiagnosis(cleaned(r))
	if !style.Wide && d.Trace == nil {
		return firstScreen(w, d, style)
	}
	t := text{screen{style: style}}
	t.head(d)
	t.faults(d)
	t.cohorts(d.cohorts)
	if !d.answered {
		t.standsOut(d.Report)
	}
	for i, f := range d.Findings {
		if i > 0 && !style.Wide {
			t.others(d)
			break
		}
		t.finding(i+1, f, d.Report)
	}
	t.symptoms(d.symptoms)
	if d.answered {
		t.standsOut(d.Report)
	}
	t.apart(d.Report)
	t.before(d.before)
	t.waiting(d)
	writeResolved(&t.screen, d.resolved, d.TakenAt)
	t.ruledOut(d.ruledOut)
	t.quiet(d.Report)
	t.notChecked(d)
	writeKnowledge(&t.screen, d.Knowledge)
	t.trace(d.Trace)
	_, err := io.WriteString(w, t.String())
	return err
}

type text struct{ screen }

func (t *text) head(d *diagnosis) {
	t.line("%s  %s", t.style.verdict(d.verdict), wording.WrapFrom(d.about(d.Source), len(d.verdict)+2, t.style.width(), margin))
	if len(d.Findings) == 0 {
		t.line("\n%s", wording.Wrap(d.noCause, t.style.width(), ""))
	}
	if d.inPart != "" {
		t.line("\n%s", wording.Wrap(d.inPart, t.style.width(), margin))
	}
	if says := d.impact(); says != "" {
		t.line("")
		t.labelled("Impact", says)
	}
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

func (t *text) cohorts(list []string) {
	for _, says := range list {
		t.line("\n%s", wording.Wrap(says, t.style.width(), margin))
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

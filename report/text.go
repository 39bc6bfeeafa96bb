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
	t.line("%s  %s", t.style.verdict(r.Verdict), wording.WrapFrom(rest, len(r.Verdict)+2, t.style.width(), margin))
	if len(r.Findings) == 0 {
		t.line("\n%s", wording.Wrap(verdictSays(r), t.style.width(), ""))
	}
	if says := readInPart(r.ReadInPart); says != "" {
		t.line("\n%s", wording.Wrap(says, t.style.width(), margin))
	}
}

// noAnswer returns verdictSays with what prevents another verdict.
func noAnswer(r *triage.Report) string {
	return strings.TrimSpace(verdictSays(r) + " " + readInPart(r.ReadInPart))
}

// verdictSays returns the answer if no cause was found.
func verdictSays(r *triage.Report) string {
	switch r.Verdict {
	case triage.Healthy:
		if len(r.Waiting) > 0 {
			return "Nothing is broken in what was checked, and pods wait for a node."
		}
		if len(r.Ignored) > 0 || r.Filter != nil {
			return "Nothing else is broken in what was checked; see what was left out."
		}
		return "Nothing is broken in what was checked."
	case triage.Unclear:
		if len(r.ReadInPart) > 0 {
			return "Not enough to tell: nothing in what was read names a cause."
		}
		return "Not enough to tell: nothing in this evidence names a cause."
	}
	return "Something is wrong, and nothing in this evidence names its cause."
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
		return "What sets " + c.Nodes[0] + " apart from healthy nodes like it: " + strings.Join(shared, ", ") + "."
	}
	out := fmt.Sprintf("%d nodes failed together", len(c.Nodes))
	if c.Since != nil {
		out += " at " + wording.Instant(*c.Since)
	}
	out += " (" + wording.First(c.Nodes, 3) + ")"
	if len(shared) == 0 {
		return out + "."
	}
	return out + ". What they share and healthy nodes do not: " + strings.Join(shared, ", ") + "."
}

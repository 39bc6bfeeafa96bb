package report

import (
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// diagnosis is the content of a report for people: what is alike is joined, and every sentence is written. One screen, the wide
// text, the ticket, the web page and JUnit choose from it how much they show, and lay it out.
type diagnosis struct {
	*triage.Report
	verdict    triage.Verdict
	answered   bool   // a finding is at least likely
	noCause    string // the answer if there is no finding
	inPart     string // kinds that were not read, or read in part
	nodes      string // the states of the nodes
	hurt       impact // objects and workloads that are hurt, and what stops working
	faultsHead string // empty: all findings are one fault
	faults     []fault
	cohorts    []string
	before     []string
	waiting    []string
	symptoms   []*openSymptom
	resolved   []*ended
	ruledOut   []exclusion
	gaps       []triage.NotChecked
	absent     []evidence.Kind
}

func newDiagnosis(r *triage.Report) *diagnosis {
	d := &diagnosis{
		Report: r, verdict: shownVerdict(r), answered: likelyCause(r), noCause: verdictSays(r), inPart: readInPart(r.ReadInPart),
		nodes: nodesSay(r.Impact, r.TakenAt), hurt: newImpact(r), cohorts: apply(cohorts(r), cohortSays),
		before: beforeList(r), waiting: waitingList(r), symptoms: openSymptoms(r.Symptoms), resolved: endings(r.Over), ruledOut: excluded(r),
	}
	d.faultsHead, d.faults = independent(r)
	d.gaps, d.absent = unseen(slices.DeleteFunc(slices.Clone(r.NotChecked), d.isEvidence))
	return d
}

// isEvidence reports whether the first finding rests on the very check that failed: its failure is the answer.
func (d *diagnosis) isEvidence(n triage.NotChecked) bool {
	return len(d.Findings) > 0 && slices.ContainsFunc(d.Findings[0].Evidence, func(e evidence.Ref) bool { return e.Source == n.What && e.Text == n.Why })
}

// title returns what was found, or that nothing was.
func (d *diagnosis) title() string {
	if len(d.Findings) > 0 {
		return d.Findings[0].Title
	}
	return d.noCause
}

// impact returns what is hurt in one paragraph; empty: there is no evidence of anything.
func (d *diagnosis) impact() string { return strings.Join(d.hurt.says(impactNodes), ". ") }

// unsure returns the answer if there is no finding, with what prevents another verdict.
func (d *diagnosis) unsure() string { return strings.TrimSpace(d.noCause + " " + d.inPart) }

// about returns the source, its time, and the states of the nodes.
func (d *diagnosis) about(source string) string {
	if at := d.asOf(); at != nil {
		source += ", as of " + wording.Instant(*at)
	}
	return joined("; ", source, d.nodes)
}

// asOf returns the time of the evidence, or else the latest time that it shows; nil: it has none.
func (d *diagnosis) asOf() *time.Time {
	if d.TakenAt != nil {
		return d.TakenAt
	}
	var at *time.Time
	later := func(t *time.Time) {
		if t != nil && !t.IsZero() && (at == nil || t.After(*at)) {
			at = t
		}
	}
	for i := range d.Findings {
		later(d.Findings[i].LastSeen)
		for j := range d.Findings[i].Evidence {
			later(&d.Findings[i].Evidence[j].ObservedAt)
		}
	}
	for i := range d.StandsOut {
		later(d.StandsOut[i].ObservedAt)
	}
	return at
}

// beginsFault reports whether a finding begins one of several independent faults. Findings are numbered from 1.
func (d *diagnosis) beginsFault(finding int) bool {
	for _, f := range d.faults {
		if f.finding == finding {
			return true
		}
	}
	return false
}

package report

import (
	"strings"

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
	d.gaps, d.absent = unseen(r.NotChecked)
	return d
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
	if d.TakenAt != nil {
		source += ", as of " + wording.Instant(*d.TakenAt)
	}
	return joined("; ", source, d.nodes)
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

package report

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// Rows for one line that stands out. There are many if such lines are the only result.
const (
	rowsAlone  = 5
	rowsBeside = 3
	rowsPerson = 8 // human sentences have no clauses of different weight
)

// likelyCause reports whether a finding is at least likely, so that it is the answer.
func likelyCause(r *triage.Report) bool {
	for _, f := range r.Findings {
		if f.Certainty != triage.Possible {
			return true
		}
	}
	return false
}

// whose returns the writer, time and location of a line.
func whose(l triage.Line, r *triage.Report) string {
	when := ""
	if l.ObservedAt != nil {
		when = moment(l.ObservedAt, r.TakenAt)
	}
	who := l.Speaker
	switch l.By {
	case evidence.ByApplication:
		who = "written by the application"
	case evidence.ByPerson:
		who = "written by a person"
	}
	return joined(", ", who, when, joined(" ", l.Source, l.Locator))
}

// standsOut writes the most significant lines if no cause is likely.
func (t *text) standsOut(r *triage.Report) {
	if len(r.StandsOut) == 0 {
		return
	}
	rows := rowsAlone
	if len(r.Findings) > 0 {
		rows = rowsBeside
	}
	t.section(relevantLines)
	for _, l := range r.StandsOut {
		p := proof{Ref: evidence.Ref{Source: whose(l, r), Text: l.Text}}
		n := rows
		if l.By == evidence.ByPerson {
			n = rowsPerson
		}
		t.paragraph(t.rows(p, n, len(margin)+2))
	}
}

package facts

import (
	"fmt"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/triage"
)

// EachReport visits the node reports in the order of the evidence.
func EachReport(p *triage.Pass, visit func(evidence.Subject, *nodereport.Report)) {
	for _, r := range p.Snapshot.NodeReports() {
		subject := evidence.Subject{}
		if r.Node != "" {
			subject = evidence.NodeSubject(r.Node)
		}
		visit(subject, r)
	}
}

// ReportRef quotes the line behind a part of a report, or describes the part if there is no line.
func ReportRef(r *nodereport.Report, line, locator, format string, args ...any) evidence.Ref {
	text := strings.TrimPrefix(line, locator+": ") // the locator stands in front of it
	ref := evidence.Ref{Source: r.Source, Locator: locator, Text: text, ObservedAt: r.TakenAt}
	if line == "" {
		ref.Text = fmt.Sprintf(format, args...)
	}
	if ref.Source == "" {
		ref.Source = "report of node/" + r.Node
	}
	return ref
}

// TimeOf returns when the report was taken, or else the time of judgment.
func TimeOf(p *triage.Pass, r *nodereport.Report) time.Time {
	if !r.TakenAt.IsZero() {
		return r.TakenAt
	}
	return p.Now
}

// GapIn returns the gap of a report for that part, which a probe leaves if it could not read it.
func GapIn(r *nodereport.Report, what string) (nodereport.Gap, bool) {
	for _, g := range r.Gaps {
		if g.What == what {
			return g, true
		}
	}
	return nodereport.Gap{}, false
}

package reports

import (
	"fmt"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// Limits for clock comparisons.
const (
	otherHour = time.Hour // clocks of several nodes that were read by hand one after the other differ by less
)

// Clock compares the clock of a node with its time service and with the clocks of other nodes.
var Clock = &triage.Rule{
	ID:    "report-clock",
	Doc:   "Reads timedatectl, chronyc and date of the node.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.NodeReports},
	Check: func(p *triage.Pass) {
		type shown struct {
			at      time.Time
			report  *nodereport.Report
			subject evidence.Subject
		}
		var clocks []shown
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			c := r.Clock
			if c == nil {
				return
			}
			if !c.Shown.IsZero() && r.Node != "" {
				clocks = append(clocks, shown{c.Shown, r, subject})
			}
			off := c.Offset.Abs()
			claim := triage.Claim{
				Says: "clock-skew", Subject: subject, Key: "offset", Evidence: []evidence.Ref{facts.ReportRef(r, c.Ref, "clock", "offset %s", c.Offset)},
				Summary: fmt.Sprintf("the node's clock is off by %s", wording.Duration(off)),
			}
			if runs, dead := facts.TimeService(r); runs == evidence.False {
				claim.Summary += ", and no time service is running: " + facts.UnitState(dead)
				claim.Evidence = append(claim.Evidence, facts.ReportRef(r, dead.Ref, dead.Name, "Active: %s", dead.Active))
			}
			if step := c.Step.Abs(); step >= facts.WrongClock {
				p.Found(triage.Claim{
					Says: "clock-skew", Subject: subject, Certainty: triage.Possible, Severity: catalog.Warning, Key: "step", Evidence: claim.Evidence[:1],
					Summary: fmt.Sprintf("the node's clock was changed by %s within the last %s", wording.Duration(step), wording.Duration(c.Watched)),
				})
			}
			switch {
			case off >= facts.WorseClock:
				claim.Certainty = triage.Certain
			case off >= facts.WrongClock:
				claim.Certainty = triage.Likely
			case c.Synchronized != nil && !*c.Synchronized && besideHardware(c).Abs() >= facts.WrongClock:
				claim.Certainty, claim.Key = triage.Possible, "hardware"
				claim.Summary = fmt.Sprintf("no time service is running, and the system clock and the hardware clock differ by %s", wording.Duration(besideHardware(c).Abs()))
			case c.Synchronized != nil && !*c.Synchronized:
				// Without a time service the clock may still be right.
				p.Unknown("whether the clock of "+facts.TheNode(r.Node)+" is correct", "no time service is running, and there is nothing to compare it with", "timedatectl, or chronyc tracking; start chronyd or systemd-timesyncd")
				return
			case c.Synchronized != nil:
				p.RuleOut("clock-skew", subject, "the node's clock is synchronized")
				return
			default:
				p.Unknown("whether the clock of "+facts.TheNode(r.Node)+" is correct", "there is no reference time", "timedatectl, or chronyc tracking")
				return
			}
			p.Found(claim)
		})
		for i, a := range clocks {
			for _, b := range clocks[i+1:] {
				if d := a.at.Sub(b.at); a.report.Source == b.report.Source && a.subject != b.subject && d.Abs() >= otherHour {
					p.Found(triage.Claim{
						Says: "clock-skew", Subject: evidence.ClusterSubject(), Certainty: triage.Likely, Key: "between nodes",
						Evidence: []evidence.Ref{facts.ReportRef(a.report, a.report.Clock.Ref, "clock", "%s", a.at), facts.ReportRef(b.report, b.report.Clock.Ref, "clock", "%s", b.at)},
						Summary:  fmt.Sprintf("the clocks of %s and %s differ by %s", a.report.Node, b.report.Node, wording.Duration(d.Abs())),
					})
				}
			}
		}
	},
}

// besideHardware returns how far the system clock is ahead of the hardware clock; zero: unknown.
func besideHardware(c *nodereport.Clock) time.Duration {
	if c.Hardware.IsZero() || c.Shown.IsZero() {
		return 0
	}
	return c.Shown.Sub(c.Hardware)
}

package reports

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// TimeService checks whether a time service runs. Without one the clock may still be right.
var TimeService = &triage.Rule{
	ID:    "report-time-service",
	Doc:   "Reads whether a time service is running on the node, and timedatectl.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.NodeReports},
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			runs, dead := facts.TimeService(r)
			claim := triage.Claim{Says: "clock-unsynchronized", Subject: subject, Certainty: triage.Likely}
			switch c := r.Clock; {
			case runs == evidence.True: // only its own output shows whether it reaches a server
				if c != nil && c.Synchronized != nil && *c.Synchronized {
					p.RuleOut("clock-unsynchronized", subject, "a time service is running, and the clock is synchronized")
				}
				return
			case runs == evidence.False:
				claim.Key, claim.Since = dead.Name, dead.Since
				claim.Evidence = []evidence.Ref{facts.ReportRef(r, dead.Ref, dead.Name, "Active: %s", dead.Active)}
				claim.Summary = fmt.Sprintf("no time service is running: %s", facts.UnitState(dead))
			case c != nil && c.Service == "inactive" && c.Synchronized != nil && !*c.Synchronized:
				claim.Key, claim.Evidence = "timedatectl", []evidence.Ref{facts.ReportRef(r, c.Ref, "clock", "NTP service: inactive")}
				claim.Summary = "no time service is running, and the clock is not synchronized"
			default:
				return
			}
			p.Found(claim)
		})
	},
}

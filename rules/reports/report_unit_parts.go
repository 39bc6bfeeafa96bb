package reports

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/nodereport"
	"github.com/nodetriage/nodetriage/rules/facts"
	"github.com/nodetriage/nodetriage/triage"
)

// judgePart finds units of other components that failed, or that were stopped although they are to run. One that is disabled or never
// ran may be replaced by another component.
func judgePart(p *triage.Pass, subject evidence.Subject, r *nodereport.Report, u nodereport.Unit) {
	says := facts.SaidByPart(u.Name)
	ran := !u.Since.IsZero() || u.ExitStatus != ""
	stopped := u.Active == "inactive" && u.Enabled != "disabled" && ran
	if says == "" || u.Active != "failed" && !stopped {
		return
	}
	claim := triage.Claim{
		Says: says, Subject: subject, Confidence: triage.Likely, Key: u.Name, Since: u.Since, Summary: fmt.Sprintf("%s does not run (%s)", u.Name, state(u)),
		Evidence: []evidence.Ref{facts.ReportRef(r, u.Ref, u.Name, "Active: %s (%s)", u.Active, u.Sub)},
	}
	facts.FoundByReport(p, r, claim)
}

package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// UnitWaits distinguishes a kubelet or runtime that was stopped from one whose start waits for another unit, or was canceled
// because a required unit failed. Its own state is inactive in both cases.
var UnitWaits = &triage.Rule{
	ID:    "report-unit-waits",
	Doc:   "Reads systemd jobs and the required units of kubelet and runtime: a start that waits for another unit, or that failed because of another unit.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.NodeReports},
	Reads: facts.AfterReport,
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			for _, u := range facts.UnitsAndQueued(r) {
				runs := !slices.Contains([]string{"", "inactive", "failed"}, u.Active)
				if part, _ := facts.SaidByUnit(u.Name); part == "" || runs || u.Load == "masked" {
					continue
				}
				c := triage.Claim{Says: "unit-start-blocked", Subject: subject, Key: u.Name, Since: u.Since}
				job := facts.JobOf(r, u.Name)
				switch {
				case job != nil && job.State == "waiting" && (job.Type == "start" || job.Type == "restart"):
					blockers, told := facts.Awaited(r.Queue, job)
					if len(blockers) == 0 {
						p.Unknown("which unit the start of "+u.Name+" waits for", "the order of systemd's jobs was not read", "systemctl list-jobs --after --before")
						continue
					}
					c.Certainty = triage.Likely
					if told {
						c.Certainty = triage.Certain
					}
					c.Evidence = []evidence.Ref{facts.ReportRef(r, job.Ref, "jobs of systemd", "%s: start waiting", u.Name)}
					c.Summary = fmt.Sprintf("%s is not running because its start waits for %s", u.Name, states(p, r, &c, blockers))
				case len(u.Missing) > 0:
					c.Certainty = triage.Likely
					c.Summary = fmt.Sprintf("%s does not start because a required unit failed: %s", u.Name, states(p, r, &c, u.Missing))
				case r.Queue == nil && u.Active == "inactive" && u.Enabled != "disabled":
					p.Unknown("whether the start of "+u.Name+" waits for another unit", "its state alone does not distinguish this from a stopped unit", "systemctl list-jobs --after --before")
					continue
				default:
					continue
				}
				facts.FoundByReport(p, r, c)
			}
		})
	},
}

// states describes the units that another unit waits for, and adds the evidence to the claim.
func states(p *triage.Pass, r *nodereport.Report, c *triage.Claim, units []string) string {
	c.Fill = map[string]string{"unit": units[0]}
	var out []string
	for _, name := range units[:min(len(units), 3)] {
		i := slices.IndexFunc(r.Units, func(u nodereport.Unit) bool { return u.Name == name })
		if i < 0 {
			out = append(out, name)
			continue
		}
		u := r.Units[i]
		c.Evidence = append(c.Evidence, facts.ReportRef(r, u.Ref, u.Name, "Active: %s (%s)", u.Active, u.Sub))
		says := fmt.Sprintf("%s, which is %s", name, u.Active)
		if u.Sub != "" && u.Sub != u.Active {
			says += " (" + u.Sub + ")"
		}
		if at := facts.TimeOf(p, r); !u.Since.IsZero() && at.After(u.Since) {
			says += " for " + wording.Duration(at.Sub(u.Since))
		}
		out = append(out, says)
	}
	return strings.Join(out, "; ")
}

package reports

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// manyRestarts is more restarts of a unit since boot than an update or two explain, if it also started recently.
const (
	manyRestarts = 5
	justStarted  = 10 * time.Minute
)

// slowStop is longer than a runtime takes to stop; systemd kills it after 90 seconds by default.
const slowStop = 20 * time.Second

// Units checks the systemd units of kubelet and runtime.
var Units = &triage.Rule{
	ID:    "report-units",
	Doc:   "Reads systemctl status of kubelet and runtime: stopped, failed, restarting.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.NodeReports},
	Reads: facts.AfterReport,
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			if g, ok := facts.GapIn(r, "units"); ok {
				p.Unknown("the units of "+facts.TheNode(r.Node), g.Why, nodereport.HowToSee("units"))
			}
			for _, u := range r.Units {
				stopped, looping := facts.SaidByUnit(u.Name)
				if stopped == "" {
					continue
				}
				ref := facts.ReportRef(r, u.Ref, u.Name, "Active: %s (%s)", u.Active, u.Sub)
				claim := triage.Claim{Subject: subject, Evidence: []evidence.Ref{ref}, Key: u.Name, Since: u.Since}
				fresh := !u.Since.IsZero() && !facts.TimeOf(p, r).IsZero() && facts.TimeOf(p, r).Sub(u.Since) < justStarted
				switch {
				case u.Sub == "auto-restart" || u.Restarts >= manyRestarts && (fresh || u.Active != "active"):
					claim.Says, claim.Certainty = looping, triage.Likely
					claim.Summary = fmt.Sprintf("%s keeps exiting and restarting (%s)", u.Name, state(u))
				case u.Active == "activating":
					claim.Says, claim.Certainty = looping, triage.Possible
					claim.Summary = fmt.Sprintf("%s is starting (%s)", u.Name, state(u))
				case u.Active == "failed" || u.Active == "inactive" || u.Load == "masked":
					claim.Says, claim.Certainty = stopped, triage.Certain
					claim.Summary = fmt.Sprintf("%s is not running (%s)", u.Name, state(u))
					facts.FoundByReport(p, r, claim)
					continue
				case u.Active == "deactivating":
					claim.Says, claim.Certainty = stopped, triage.Likely
					claim.Summary = fmt.Sprintf("%s is stopping (%s)", u.Name, state(u))
					if stopped == "runtime-down" && hangsInStop(u, facts.TimeOf(p, r)) {
						claim.Says = "runtime-hung"
						claim.Summary = fmt.Sprintf("%s was asked to stop and is still running after %s (%s)", u.Name, wording.Duration(facts.TimeOf(p, r).Sub(u.Since)), state(u))
					}
				case slices.Contains([]string{"active", "reloading", "refreshing"}, u.Active):
					p.RuleOut(stopped, subject, u.Name+" is "+u.Active)
					continue
				default:
					p.Unknown("whether "+u.Name+" is running", "its state was not read", shell.Format("systemctl status {unit}", u.Name))
					continue
				}
				p.Found(claim)
			}
		})
	},
	// If the runtime's unit is not running or its socket is missing, a failing relist does not prove that the runtime hangs.
	JudgesInstead: func(p *triage.Pass, m *evidence.Match) bool {
		if facts.SaysNow(p, "kubelet-socket-missing", m.Subject) {
			return true
		}
		return slices.ContainsFunc(p.Snapshot.NodeReports(), func(r *nodereport.Report) bool {
			is := func(states ...string) bool {
				return slices.ContainsFunc(r.Units, func(u nodereport.Unit) bool {
					stopped, _ := facts.SaidByUnit(u.Name)
					return stopped == "runtime-down" && slices.Contains(states, u.Active)
				})
			}
			return facts.SameNode(p.Snapshot, m.Subject, evidence.NodeSubject(r.Node)) && is("failed", "inactive") && !is("active", "activating", "reloading", "refreshing", "deactivating")
		})
	},
}

// hangsInStop reports whether a unit has been stopping for longer than a healthy runtime takes, which leaves its shims running.
func hangsInStop(u nodereport.Unit, at time.Time) bool {
	return !u.Since.IsZero() && at.Sub(u.Since) >= slowStop
}

func state(u nodereport.Unit) string {
	parts := []string{strings.TrimSpace(u.Active + " " + u.Sub)}
	if u.Result != "" {
		parts = append(parts, "result "+u.Result)
	}
	if u.ExitStatus != "" {
		parts = append(parts, "status "+u.ExitStatus)
	}
	if u.Restarts > 0 {
		parts = append(parts, fmt.Sprintf("%d restarts", u.Restarts))
	}
	return strings.Join(parts, ", ")
}

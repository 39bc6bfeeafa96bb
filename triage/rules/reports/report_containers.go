package reports

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// oftenStarted is an attempt count that no update or reboot explains.
const oftenStarted = 3

// Containers checks containers of node components in the runtime's list: those whose newest one has exited.
var Containers = &triage.Rule{
	ID:    "report-containers",
	Doc:   "Finds network agents, kube-proxy and control plane components whose newest container has exited (crictl ps -a).",
	Needs: []evidence.Kind{evidence.NodeReports},
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			if r.Runtime == nil {
				return
			}
			newest := map[string]nodereport.Container{}
			for _, c := range r.Runtime.Containers {
				if last, seen := newest[c.Name]; !seen || c.State == "Running" || last.State != "Running" && c.Attempt > last.Attempt {
					newest[c.Name] = c
				}
			}
			for _, c := range r.Runtime.Containers {
				part := components.OfContainer(c.Name) // by its own name: init containers of these pods exit when they are done
				if part == nil || c != newest[c.Name] || c.State != "Exited" {
					continue
				}
				claim := triage.Claim{
					Says: part.Stopped(), Subject: subject, Certainty: triage.Possible, Key: c.Name,
					Evidence: []evidence.Ref{facts.ReportRef(r, c.Ref, c.Name, "%s, attempt %d", c.State, c.Attempt)},
					Summary:  fmt.Sprintf("container %s has exited and has no running replacement", c.Name),
				}
				if c.Attempt >= oftenStarted {
					claim.Certainty = triage.Likely
					claim.Summary = fmt.Sprintf("container %s has exited after %d starts and has no running replacement", c.Name, c.Attempt+1)
				}
				p.Found(claim)
			}
		})
	},
}

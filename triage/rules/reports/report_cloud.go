package reports

import (
	"fmt"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// Cloud checks the events that the cloud announced to its machine.
var Cloud = &triage.Rule{
	ID:    "report-cloud",
	Doc:   "Reads the scheduled events of the VM from the cloud's metadata service.",
	Needs: []evidence.Kind{evidence.NodeReports},
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			if r.Cloud == nil {
				return
			}
			for _, e := range r.Cloud.Events {
				if e.Status == "completed" || e.Status == "canceled" {
					continue
				}
				c := triage.Claim{
					Says: "cloud-host-maintenance", Subject: subject, Certainty: triage.Certain, Key: e.Kind,
					Evidence: []evidence.Ref{facts.ReportRef(r, "", "metadata of "+r.Cloud.Provider, "%s", strings.Join(strings.Fields(e.Kind+" "+e.Status+" "+e.Text), " "))},
					Summary:  "scheduled event of the cloud for this VM: " + e.Kind,
				}
				switch strings.ToLower(e.Kind) {
				case "preempt", "terminate":
					c.Says = "cloud-spot-eviction"
				}
				if !e.Not.IsZero() {
					c.Summary += fmt.Sprintf(", not before %s", e.Not.Format(time.RFC3339))
				}
				p.Found(c)
			}
			if len(r.Cloud.Events) == 0 {
				p.RuleOut("cloud-host-maintenance", subject, "the cloud has no scheduled event for the VM")
			}
		})
	},
}

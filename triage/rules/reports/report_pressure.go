package reports

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// Shares of a minute in which all tasks were stalled. Busy nodes stay far below.
const (
	stalledDisk   = 50 // percent
	stalledMemory = 20
)

// Pressure checks how long all tasks on the node were stalled on disks or memory.
var Pressure = &triage.Rule{
	ID:    "report-pressure",
	Doc:   "Reads the kernel's pressure stall information (PSI) of the last minute.",
	Needs: []evidence.Kind{evidence.NodeReports},
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			for _, x := range r.Pressure {
				if x.Kind != "full" {
					continue
				}
				text := fmt.Sprintf("all tasks waited %.0f %% of the last minute for %s", x.Avg60, x.Resource)
				c := triage.Claim{Subject: subject, Key: "pressure", Evidence: []evidence.Ref{facts.ReportRef(r, "", "/proc/pressure/"+x.Resource, "%s avg60=%.2f", x.Kind, x.Avg60)}}
				switch {
				case x.Resource == "io" && x.Avg60 >= stalledDisk:
					c.Says = "slow-disk"
				case x.Resource == "memory" && x.Avg60 >= stalledMemory:
					c.Says, c.Certainty, c.Summary = "memory-pressure-oom", triage.Possible, text
				default:
					continue
				}
				p.Found(c)
			}
		})
	},
}

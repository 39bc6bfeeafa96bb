package reports

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// Hung checks file systems that did not return their size in time, and systemd and D-Bus if they accepted a connection and did not
// answer. Every process that uses them hangs too.
var Hung = &triage.Rule{
	ID:    "report-hung",
	Doc:   "Reads which file systems did not answer nodetriage-agent in time, and whether systemd and its bus answered.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.NodeReports},
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			for _, h := range r.Hung {
				switch h.What {
				case "service manager":
					p.Found(triage.Claim{
						Says: "systemd-unresponsive", Subject: subject, Certainty: triage.Likely, Key: h.Name,
						Evidence: []evidence.Ref{facts.ReportRef(r, "", h.Name, "no answer after %s", wording.Duration(h.After))},
						Summary:  fmt.Sprintf("%s accepts requests, but did not answer within %s", h.Name, wording.Duration(h.After)),
					})
					continue
				case "file system":
				default:
					continue // an abandoned probe is a gap
				}
				p.Found(triage.Claim{
					Says: "storage-backend-hang", Subject: subject, Certainty: triage.Likely, Key: h.Name, Fill: map[string]string{"path": h.Name},
					Evidence: []evidence.Ref{facts.ReportRef(r, "", "statfs "+h.Name, "no answer after %s from the %s file system", wording.Duration(h.After), facts.OrUnknown(h.Type))},
					Summary:  fmt.Sprintf("the %s file system at %s did not answer within %s", facts.OrUnknown(h.Type), h.Name, wording.Duration(h.After)),
				})
			}
		})
	},
}

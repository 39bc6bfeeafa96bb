package rules

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/nodereport"
	"github.com/nodetriage/nodetriage/triage"
)

// reportRuntime judges how the runtime answered on the node.
var reportRuntime = &triage.Rule{
	ID:  "report-runtime",
	Doc: "Reads the CRI's answer: hung, refused, or fine.",
	Check: func(p *triage.Pass) {
		eachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			if r.Runtime == nil {
				return
			}
			ref := reportRef(r, r.Runtime.Ref, "CRI "+r.Runtime.Endpoint, "%s after %s: %s", r.Runtime.Answer, r.Runtime.Latency, r.Runtime.Message)
			claim := triage.Claim{Subject: subject, Confidence: triage.Certain, Evidence: []evidence.Ref{ref}, Since: r.TakenAt}
			switch r.Runtime.Answer {
			case "hung":
				claim.Says = "runtime-hung"
				claim.Summary = fmt.Sprintf("the runtime took a call and did not answer within %s", r.Runtime.Latency)
			case "refused":
				claim.Says, claim.Summary = "runtime-down", "nothing answers on the runtime's socket"
			case "ok":
				p.RuleOut("runtime-down", subject, "the runtime answers")
				p.RuleOut("runtime-hung", subject, "the runtime answers")
				return
			default:
				return
			}
			p.Found(claim)
		})
	},
}

package rules

import (
	"fmt"
	"strings"

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
			if g, ok := gapIn(r, "runtime"); ok {
				p.Unknown(strings.TrimSpace("whether the runtime of "+r.Node+" answers"), g.Why, g.How)
			}
			if r.Runtime == nil {
				return
			}
			ref := reportRef(r, r.Runtime.Ref, strings.TrimSpace("CRI "+r.Runtime.Endpoint), "%s after %s: %s", r.Runtime.Answer, r.Runtime.Latency, r.Runtime.Message)
			claim := triage.Claim{Subject: subject, Confidence: triage.Certain, Evidence: []evidence.Ref{ref}, Since: r.TakenAt}
			switch r.Runtime.Answer {
			case "hung":
				claim.Says = "runtime-hung"
				claim.Summary = fmt.Sprintf("the runtime took a call and did not answer within %s", r.Runtime.Latency)
				if r.Runtime.Latency == 0 {
					claim.Summary = "the runtime took a call and did not answer in time"
				}
			case "refused":
				claim.Says, claim.Summary = "runtime-down", "nothing answers on the runtime's socket"
			case "ok":
				if ready := r.Runtime.RuntimeReady; ready != nil && !*ready {
					claim.Says, claim.Confidence = "runtime-down", triage.Likely
					claim.Summary = "the runtime answers that it is not ready: " + r.Runtime.Message
					break
				}
				if ready := r.Runtime.NetworkReady; ready != nil && !*ready {
					p.Found(triage.Claim{Says: "cni-uninitialized", Subject: subject, Evidence: claim.Evidence})
				}
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

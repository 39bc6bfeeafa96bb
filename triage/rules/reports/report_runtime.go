package reports

import (
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// Runtime checks how the runtime answered on the node.
var Runtime = &triage.Rule{
	ID:    "report-runtime",
	Doc:   "Reads the answer of the container runtime (CRI): hung, refused, or healthy.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.NodeReports},
	Reads: facts.AfterReport,
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			if g, ok := facts.GapIn(r, "runtime"); ok {
				p.Unknown("whether the runtime of "+facts.TheNode(r.Node)+" answers", g.Why, nodereport.HowToSee("runtime"))
			}
			if r.Runtime == nil {
				return
			}
			ref := facts.ReportRef(r, r.Runtime.Ref, strings.TrimSpace("CRI "+r.Runtime.Endpoint), "%s after %s: %s", r.Runtime.Answer, wording.Duration(r.Runtime.Latency), r.Runtime.Message)
			claim := triage.Claim{Subject: subject, Certainty: triage.Certain, Evidence: []evidence.Ref{ref}, Since: r.TakenAt}
			switch r.Runtime.Answer {
			case "hung":
				claim.Says = "runtime-hung"
				claim.Summary = fmt.Sprintf("the container runtime accepted a CRI call and did not answer within %s", wording.Duration(r.Runtime.Latency))
				if r.Runtime.Latency == 0 {
					claim.Summary = "the container runtime accepted a CRI call and did not answer in time"
				}
			case "interrupted":
				claim.Says, claim.Certainty, claim.Summary = "runtime-hung", triage.Possible, unanswered // how long is unknown
			case "refused":
				claim.Says, claim.Summary = "runtime-down", "nothing answers on the container runtime's socket"
			case "ok":
				if ready := r.Runtime.RuntimeReady; ready != nil && !*ready {
					claim.Says, claim.Certainty = "runtime-down", triage.Likely
					claim.Summary = "the container runtime reports that it is not ready: " + r.Runtime.Message
					break
				}
				if ready := r.Runtime.NetworkReady; ready != nil && !*ready {
					p.Found(triage.Claim{Says: "cni-uninitialized", Subject: subject, Evidence: claim.Evidence})
				}
				if asked := r.Runtime.Unanswered; asked != "" {
					p.Over(triage.Claim{Says: "runtime-hung", Subject: subject, Certainty: triage.Possible, Summary: unanswered,
						Evidence: []evidence.Ref{facts.ReportRef(r, asked, "CRI", "%s", asked)}}, "the runtime answered a later call", r.TakenAt)
				}
				p.RuleOut("runtime-down", subject, "the runtime answers")
				p.RuleOut("runtime-hung", subject, "the runtime answers")
				judgeImages(p, subject, r)
				judgeShims(p, subject, r)
				return
			case "unimplemented":
				claim.Says, claim.Summary = "runtime-cri-disabled", "the container runtime does not serve the CRI: "+r.Runtime.Message
			case "error":
				p.Found(triage.Claim{Says: "runtime-error", Subject: subject, Evidence: claim.Evidence})
				return
			default:
				return
			}
			facts.FoundByReport(p, r, claim)
		})
	},
}

// unanswered is the summary for a request that a person canceled.
const unanswered = "the container runtime had not answered when the command was interrupted (^C)"

// judgeImages checks the image store, and whether it has the pause image.
func judgeImages(p *triage.Pass, subject evidence.Subject, r *nodereport.Report) {
	rt := r.Runtime
	if rt.ImageStore != "" && rt.ImageStore != "ok" {
		p.Found(triage.Claim{
			Says: "runtime-storage-corrupt", Subject: subject, Certainty: triage.Possible, Key: "images",
			Evidence: []evidence.Ref{facts.ReportRef(r, "", "image store", "%s", rt.ImageStore)},
			Summary:  "the container runtime answers, but its image service does not: " + rt.ImageStore,
		})
	}
	switch present := rt.SandboxImagePresent; {
	case present == nil:
	case *present:
		p.RuleOut("sandbox-image-unavailable", subject, "the runtime has "+rt.SandboxImage)
	default:
		p.Found(triage.Claim{
			Says: "sandbox-image-unavailable", Subject: subject, Certainty: triage.Possible, Key: "sandbox image",
			Evidence: []evidence.Ref{facts.ReportRef(r, "", "image store", "image %s not found", rt.SandboxImage)},
			Summary:  "the sandbox image " + rt.SandboxImage + " is missing; the next pod must pull it first",
			Fill:     map[string]string{"image": rt.SandboxImage},
		})
	}
}

// extraShims is how many more shims than sandboxes a node may have for a moment, while pods start and stop.
const extraShims = 20

// judgeShims compares the shims with their sandboxes.
func judgeShims(p *triage.Pass, subject evidence.Subject, r *nodereport.Report) {
	rt := r.Runtime
	if rt.Shims == nil || rt.Sandboxes == nil {
		return
	}
	shims, sandboxes := *rt.Shims, len(rt.Sandboxes)
	if shims > sandboxes+extraShims && shims > sandboxes*5/4 {
		p.Found(triage.Claim{
			Says: "shim-leak", Subject: subject, Certainty: triage.Possible, Key: "shims",
			Evidence: []evidence.Ref{facts.ReportRef(r, "", "processes", "%d shims, %d sandboxes", shims, sandboxes)},
			Summary:  fmt.Sprintf("%d containerd shims are running for %d sandboxes", shims, sandboxes),
		})
		return
	}
	p.RuleOut("shim-leak", subject, fmt.Sprintf("%d containerd shims are running for %d sandboxes", shims, sandboxes))
}

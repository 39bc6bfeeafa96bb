package reports

import (
	"fmt"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// Partition holds what a node says of its way to the API server against what the API server says of the others: where
// it serves them, its end is well, and the way between is cut.
var Partition = &triage.Rule{
	ID:    "report-partition",
	Doc:   "Finds nodes that get no answer from an API server that serves the other nodes.",
	Needs: []evidence.Kind{evidence.NodeReports},
	Reads: []evidence.Kind{evidence.Nodes, evidence.Leases}, // without the others it says what would tell
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			c := facts.SilentServer(r)
			if c == nil || subject.IsZero() || talked(p, r) {
				return
			}
			served := 0
			for _, n := range p.Snapshot.Nodes() {
				if fresh, _ := facts.Beats(p, n.Name); n.Name != r.Node && n.Ready() == evidence.True && fresh != evidence.False {
					served++
				}
			}
			if served == 0 {
				p.Unknown("whether the API server or the network path from "+r.Node+" to it is at fault", "no other node is seen to be served", "kubectl get nodes (from another machine)")
				return
			}
			sure := triage.Certain
			if l := p.Snapshot.NodeLease(r.Node); l != nil && facts.TimeOf(p, r).Sub(l.Renewed) < missedBeats {
				sure = triage.Likely
			}
			if slow(r) {
				sure = triage.Possible // it would be late for any answer
			}
			p.Found(triage.Claim{
				Says: "network-partition", Subject: subject, Certainty: sure, Key: "served",
				Evidence: []evidence.Ref{facts.ReportRef(r, c.Ref, "connection "+c.Target, "%s: %s %s", c.Target, c.Answer, c.Message)},
				Summary:  fmt.Sprintf("the API server (%s) serves %s, and no answer of it reaches this one", c.Target, wording.Count(served, "other node")),
			})
		})
	},
}

// missedBeats is how old a lease is when its kubelet, which renews it every ten seconds, has failed to more than once: one
// request without an answer is no way that is cut.
const missedBeats = 25 * time.Second

// prompt is within what time a runtime answers on a machine that is not overburdened: it takes milliseconds.
const prompt = time.Second

// slow reports whether a runtime that works took long to answer on the same machine.
func slow(r *nodereport.Report) bool {
	return r.Runtime != nil && r.Runtime.Answer == "ok" && r.Runtime.Latency > prompt
}

// oneLook is within which time a report and the commands of a person look at the same moment of a node.
const oneLook = time.Minute

// talked reports whether the API server answered the node, again and again, while it was looked at: the way is not cut, whatever
// one request met.
func talked(p *triage.Pass, r *nodereport.Report) bool {
	return slices.ContainsFunc(p.Snapshot.Reports(r.Node), func(other *nodereport.Report) bool {
		return facts.TimeOf(p, r).Sub(facts.TimeOf(p, other)).Abs() < oneLook &&
			slices.ContainsFunc(other.Losses, func(l nodereport.Loss) bool { return l.Answered > 0 })
	})
}

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

// Partition compares a node's connection to the API server with those of the other nodes. If the API server answers them, it works,
// and the path from this node is cut.
var Partition = &triage.Rule{
	ID:    "report-partition",
	Doc:   "Finds nodes that get no answer from an API server that answers other nodes.",
	Needs: []evidence.Kind{evidence.NodeReports},
	Reads: []evidence.Kind{evidence.Nodes, evidence.Leases}, // without them the rule reports a gap
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
				p.Unknown("whether the API server or the network path from "+r.Node+" to it is at fault", "no other node is known to reach it", "kubectl get nodes (from another host)")
				return
			}
			sure := triage.Certain
			if l := p.Snapshot.NodeLease(r.Node); l != nil && facts.TimeOf(p, r).Sub(l.Renewed) < missedBeats {
				sure = triage.Likely
			}
			if slow(r) {
				sure = triage.Possible // it would get any answer late
			}
			p.Found(triage.Claim{
				Says: "network-partition", Subject: subject, Certainty: sure, Key: "served",
				Evidence: []evidence.Ref{facts.ReportRef(r, c.Ref, "connection "+c.Target, "%s: %s %s", c.Target, c.Answer, c.Message)},
				Summary:  fmt.Sprintf("the API server (%s) answers %s, but not this one", c.Target, wording.Count(served, "other node")),
			})
		})
	},
}

// missedBeats is the age of a lease at which its kubelet, which renews it every ten seconds, has failed more than once. One request
// without an answer does not prove a cut path.
const missedBeats = 25 * time.Second

// prompt is the response time of a runtime on a machine without overload: it takes milliseconds.
const prompt = time.Second

// slow reports whether a working runtime on the same machine took long to answer.
func slow(r *nodereport.Report) bool {
	return r.Runtime != nil && r.Runtime.Answer == "ok" && r.Runtime.Latency > prompt
}

// oneLook is the time within which a report and a person's commands show the same state of a node.
const oneLook = time.Minute

// talked reports whether the API server answered the node repeatedly while the report was taken. The path is not cut then, even if
// one request failed.
func talked(p *triage.Pass, r *nodereport.Report) bool {
	return slices.ContainsFunc(p.Snapshot.Reports(r.Node), func(other *nodereport.Report) bool {
		return facts.TimeOf(p, r).Sub(facts.TimeOf(p, other)).Abs() < oneLook &&
			slices.ContainsFunc(other.Losses, func(l nodereport.Loss) bool { return l.Answered > 0 })
	})
}

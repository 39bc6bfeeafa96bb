package rules

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/nodereport"
	"github.com/nodetriage/nodetriage/triage"
)

// reportPartition holds what a node says of its way to the API server against what the API server says of the others: where
// it serves them, its end is well, and the way between is cut.
var reportPartition = &triage.Rule{
	ID:    "report-partition",
	Doc:   "Finds nodes that get no answer from an API server that serves the other nodes.",
	Needs: []evidence.Kind{evidence.Nodes},
	Check: func(p *triage.Pass) {
		eachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			c := silentServer(r)
			if c == nil || subject.IsZero() {
				return
			}
			served := 0
			for _, n := range p.Snapshot.Data().Nodes {
				if fresh, _ := beats(p, n.Name); n.Name != r.Node && n.Ready() == evidence.True && fresh != evidence.False {
					served++
				}
			}
			if served == 0 {
				p.Unknown("whether the API server or the way of "+r.Node+" to it is at fault", "no other node is seen to be served", "kubectl get nodes (from another machine)")
				return
			}
			p.Found(triage.Claim{
				Says: "network-partition", Subject: subject, Confidence: triage.Certain, Key: "served",
				Evidence: []evidence.Ref{reportRef(r, c.Ref, "connection "+c.Target, "%s: %s %s", c.Target, c.Answer, c.Message)},
				Summary:  fmt.Sprintf("the API server (%s) serves %s, and no answer of it reaches this one", c.Target, count(served, "other node")),
			})
		})
	},
}

// silentServer is the attempt of a node to reach the API server that nobody answered, or nil.
func silentServer(r *nodereport.Report) *nodereport.Connection {
	for i := range r.Connections {
		c := &r.Connections[i]
		server := c.Peer == "api-server" || c.Peer == "" && peerOf(c.Target).cause == "apiserver-unreachable"
		if server && (c.Answer == "timeout" || c.Answer == "unreachable") {
			return c
		}
	}
	return nil
}

package nodes

import (
	"fmt"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// HeartbeatClock checks the clocks of nodes without a lease in the evidence, by the times in their conditions. It only detects a
// clock that is far ahead: heartbeats are written every five minutes.
var HeartbeatClock = &triage.Rule{
	ID:    "heartbeat-clock",
	Doc:   "Finds nodes with heartbeats in the future, if their Leases are not in the evidence.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.Nodes},
	Reads: []evidence.Kind{evidence.Leases},
	Check: func(p *triage.Pass) {
		taken := p.Snapshot.TakenAt()
		for _, n := range p.Snapshot.Nodes() {
			if l := p.Snapshot.NodeLease(n.Name); taken.IsZero() || l != nil && !l.Renewed.IsZero() {
				continue
			}
			for i := range n.Node.Status.Conditions {
				c := &n.Node.Status.Conditions[i]
				ahead := c.LastHeartbeatTime.Sub(taken)
				if ahead < facts.WorseClock || c.Type == evidence.ConditionNodetriageHealthy { // not by the clock of the node
					continue
				}
				p.Found(triage.Claim{
					Says: "clock-skew", Subject: n.Subject(), Certainty: triage.Certain, Key: "heartbeat",
					Evidence: []evidence.Ref{facts.NodeRef(n, fmt.Sprintf(".status.conditions[%s].lastHeartbeatTime", c.Type), "%s", c.LastHeartbeatTime.UTC().Format(time.RFC3339))},
					Summary:  fmt.Sprintf("the node's clock is %s ahead of the API server or of most nodes, according to its heartbeats", wording.Duration(ahead)),
				})
				break
			}
		}
	},
}

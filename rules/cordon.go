package rules

import (
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// longCordon is how long a cordon may stand before it looks forgotten: longer than the default drain time
// limits of the clouds.
const longCordon = time.Hour

// cordon reads unschedulable nodes: who set it, how long ago, and whether anybody still works on the node.
var cordon = &triage.Rule{
	ID:    "cordon",
	Doc:   "Finds nodes that are cordoned, by whom, and whether a drain or an upgrade still goes on.",
	Needs: []evidence.Kind{evidence.Nodes},
	Check: func(p *triage.Pass) {
		for _, n := range p.Snapshot.Data().Nodes {
			if !n.Spec.Unschedulable {
				continue
			}
			at, by := n.CordonedBy()
			text := "unschedulable: true"
			if by != "" {
				text += ", set by " + by
			}
			refs := []evidence.Ref{nodeRef(n, ".spec.unschedulable", "%s", text)}
			p.Found(triage.Claim{Says: "node-unschedulable", Subject: n.Subject(), Evidence: refs, Since: at})
			age, known := p.Age(at)
			if !known || age < longCordon || busy(p, n) || n.NotReady() {
				continue
			}
			summary := "cordoned " + short(age) + " ago"
			if by != "" {
				summary += " by " + by
			}
			p.Found(triage.Claim{
				Says: "cordon-left-behind", Subject: n.Subject(), Confidence: triage.Likely, Evidence: refs, Since: at,
				Summary: summary + "; the node is Ready and nothing drains it",
			})
		}
	},
}

// busy tells whether an upgrade or drain of the node was seen in the last hour.
func busy(p *triage.Pass, n *evidence.Node) bool {
	for _, e := range p.Snapshot.EventsOf(n.Subject()) {
		age, known := p.Age(e.Last)
		switch e.Reason {
		case "Drain", "Surge", "Upgrade", "NodeDrainStart", "NodeCordonStart", "Draining", "DrainingStarted", "Cordon":
			if known && age < longCordon {
				return true
			}
		}
	}
	for _, pod := range p.Snapshot.PodsOn(n.Name) {
		if pod.Deleting() {
			return true
		}
	}
	return false
}

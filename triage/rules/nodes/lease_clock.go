package nodes

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// LeaseClock checks the clocks of nodes by the times in their leases (kubernetes pkg/kubelet/nodelease and
// component-helpers/apimachinery/lease, 1.36.3). The node controller watches when a lease changes, not its renewTime, so such a
// node stays Ready. A clock that is behind looks like a lease that was not renewed.
var LeaseClock = &triage.Rule{
	ID:    "lease-clock",
	Doc:   "Finds nodes with a Lease renewal in the future.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.Nodes, evidence.Leases},
	Check: func(p *triage.Pass) {
		for _, n := range p.Snapshot.Nodes() {
			l := p.Snapshot.NodeLease(n.Name)
			if l == nil {
				continue
			}
			ahead := facts.AheadBy(p, l)
			if ahead < facts.WrongClock {
				continue
			}
			c := triage.Claim{
				Says: "clock-skew", Subject: n.Subject(), Certainty: triage.Likely, Key: "lease", Evidence: []evidence.Ref{facts.LeaseRef(l)},
				Summary: fmt.Sprintf("the node's clock is %s ahead of the API server or of most nodes, according to its Lease", wording.Duration(ahead)),
			}
			if ahead >= facts.WorseClock {
				c.Certainty = triage.Certain
			}
			p.Found(c)
		}
	},
}

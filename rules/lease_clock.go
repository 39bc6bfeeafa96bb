package rules

import (
	"fmt"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// leaseClock reads the clocks of nodes from the times that their kubelets write into their leases (kubernetes
// pkg/kubelet/nodelease and component-helpers/apimachinery/lease, 1.36.3). The node controller goes by when a lease changes,
// not by what it says, so such a node stays Ready. A clock that is behind looks as a lease that was not renewed.
var leaseClock = &triage.Rule{
	ID:    "lease-clock",
	Doc:   "Finds nodes whose lease was renewed in the future.",
	Needs: []evidence.Kind{evidence.Nodes, evidence.Leases},
	Check: func(p *triage.Pass) {
		for _, n := range p.Snapshot.Data().Nodes {
			l := p.Snapshot.NodeLease(n.Name)
			if l == nil {
				continue
			}
			ahead := aheadBy(p, l)
			if ahead < wrongClock {
				continue
			}
			c := triage.Claim{
				Says: "clock-skew", Subject: n.Subject(), Confidence: triage.Likely, Key: "lease", Evidence: []evidence.Ref{leaseRef(l)},
				Summary: fmt.Sprintf("the node's clock is %s ahead: it dates its heartbeats so far after the time of the API server or of most nodes", short(ahead)),
			}
			if ahead >= worseClock {
				c.Confidence = triage.Certain
			}
			p.Found(c)
		}
	},
}

// aheadBy is how far the lease was renewed beyond the time of the evidence: that of the API server, or what most nodes
// agree on.
func aheadBy(p *triage.Pass, l *evidence.Lease) time.Duration {
	taken := p.Snapshot.TakenAt()
	if taken.IsZero() || l.Renewed.IsZero() {
		return 0
	}
	return max(l.Renewed.Sub(taken), 0)
}

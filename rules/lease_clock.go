package rules

import (
	"fmt"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// leaseClock reads the clocks of nodes from the times that their kubelets write into their leases (kubernetes
// pkg/kubelet/nodelease and component-helpers/apimachinery/lease, 1.36.3). The node controller goes by when a lease changes,
// not by what it says, so such a node stays Ready. A clock that is behind looks as a lease that was not renewed.
var leaseClock = &triage.Rule{
	ID:    "lease-clock",
	Doc:   "Finds nodes whose lease was renewed in the future of those of the other Ready nodes.",
	Needs: []evidence.Kind{evidence.Nodes, evidence.Leases},
	Check: func(p *triage.Pass) {
		renewed := renewals(p)
		for _, n := range p.Snapshot.Data().Nodes {
			l := p.Snapshot.NodeLease(n.Name)
			if l == nil || l.Renewed.IsZero() {
				continue
			}
			ahead := aheadBy(renewed, l)
			if ahead < wrongClock {
				continue
			}
			c := triage.Claim{
				Says: "clock-skew", Subject: n.Subject(), Confidence: triage.Likely, Key: "lease", Evidence: []evidence.Ref{leaseRef(l)},
				Summary: fmt.Sprintf("the node's clock is %s ahead: it dates its heartbeats so far after those of the other Ready nodes", short(ahead)),
			}
			if ahead >= worseClock {
				c.Confidence = triage.Certain
			}
			p.Found(c)
		}
	},
}

// renewals are when the Ready nodes renewed their leases, by their own clocks.
func renewals(p *triage.Pass) map[string]time.Time {
	out := map[string]time.Time{}
	for _, n := range p.Snapshot.Data().Nodes {
		if l := p.Snapshot.NodeLease(n.Name); l != nil && !l.Renewed.IsZero() && n.Ready() == evidence.True {
			out[n.Name] = l.Renewed
		}
	}
	return out
}

// aheadBy is how far beyond the renewals of the other Ready nodes, the middle one of them, this one lies; 0 also where there
// are not two to compare with.
func aheadBy(renewed map[string]time.Time, l *evidence.Lease) time.Duration {
	var others []time.Time
	for name, t := range renewed {
		if name != l.Name {
			others = append(others, t)
		}
	}
	if len(others) < 2 {
		return 0
	}
	slices.SortFunc(others, time.Time.Compare)
	return max(l.Renewed.Sub(others[(len(others)-1)/2]), 0)
}

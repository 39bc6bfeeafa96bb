package facts

import (
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// AheadBy is how far the lease was renewed beyond the time of the evidence: that of the API server, or what most nodes
// agree on.
func AheadBy(p *triage.Pass, l *evidence.Lease) time.Duration {
	taken := p.Snapshot.TakenAt()
	if taken.IsZero() || l.Renewed.IsZero() {
		return 0
	}
	return max(l.Renewed.Sub(taken), 0)
}

// Tolerances of a clock: certificates and tokens that were just made fail beyond a minute, most of them
// beyond five.
const (
	WrongClock = time.Minute
	WorseClock = 5 * time.Minute
)

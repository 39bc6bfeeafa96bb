package facts

import (
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
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

// LeaseAge is how long ago a lease was renewed when the leases were read. Saved objects do not tell that time, for their lists are
// read one after another: there the newest lease of another node stands for it.
func LeaseAge(p *triage.Pass, l *evidence.Lease) (time.Duration, bool) {
	if kind := p.Snapshot.Source().Kind; kind == "cluster" || kind == "bundle" {
		return p.Age(l.Renewed)
	}
	var newest time.Time
	for _, other := range p.Snapshot.Leases() {
		if other.Namespace == l.Namespace && other.Name != l.Name && other.Renewed.After(newest) && AheadBy(p, other) < WrongClock {
			newest = other.Renewed
		}
	}
	return newest.Sub(l.Renewed), !newest.IsZero()
}

// Tolerances of a clock: certificates and tokens that were just made fail beyond a minute, most of them
// beyond five.
const (
	WrongClock = timeline.WrongClock
	WorseClock = 5 * time.Minute
)

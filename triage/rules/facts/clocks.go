package facts

import (
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// AheadBy returns how far the renewTime of a lease is ahead of the time of the evidence: the API server's clock, or the one that
// most nodes agree on.
func AheadBy(p *triage.Pass, l *evidence.Lease) time.Duration {
	taken := p.Snapshot.TakenAt()
	if taken.IsZero() || l.Renewed.IsZero() {
		return 0
	}
	return max(l.Renewed.Sub(taken), 0)
}

// LeaseAge returns the age of a lease when the leases were read. Saved objects do not contain that time, because their lists are
// read one after another. The newest lease of another node is used instead.
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

// Clock tolerances: beyond a minute new certificates and tokens fail, beyond five most of them.
const (
	WrongClock = timeline.WrongClock
	WorseClock = 5 * time.Minute
)

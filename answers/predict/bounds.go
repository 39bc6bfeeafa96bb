package predict

import (
	"math"
	"time"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/mechanics"
)

// Times in one run, since the event.
const (
	never  = mechanics.Never
	always = time.Duration(math.MinInt64) // before everything in the simulation
)

// plus adds to a time. never stays never.
func plus(t, d time.Duration) time.Duration {
	if t == never || d == never {
		return never
	}
	return t + d
}

// bounds is a plan.Interval while the runs are combined.
type bounds struct {
	from, to time.Duration
	missing  bool // it does not happen in all runs
	seen     bool
}

func (a *bounds) add(t time.Duration) {
	if t == never {
		a.missing = true
		return
	}
	if !a.seen {
		a.from, a.to, a.seen = t, t, true
		return
	}
	a.from, a.to = min(a.from, t), max(a.to, t)
}

// after makes it later than b, if b happens.
func (a *bounds) after(b bounds) {
	if a.seen && b.seen {
		a.from, a.to = max(a.from, b.from), max(a.to, b.to)
	}
}

// interval returns nil if it never happens.
func (a *bounds) interval() *plan.Interval {
	if !a.seen {
		return nil
	}
	out := plan.Within(a.from, a.to)
	return &out
}

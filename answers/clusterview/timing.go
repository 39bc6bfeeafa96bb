package clusterview

import (
	"time"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// What is assumed where the evidence does not tell.
const (
	soonest = time.Second
	// LatestStart is the longest that a pod takes to be ready whose like was never seen to start.
	LatestStart = 2 * time.Minute
	// Overhead is what the kubelet needs beyond the grace period to report that a pod is gone.
	Overhead = 5 * time.Second
	longest  = 15 * time.Minute // a longer start says that the pod was broken for a while
)

// EndsWithin is how long a pod takes to be gone once it is evicted.
func EndsWithin(p *evidence.Pod) plan.Interval {
	if p.Finished() {
		return plan.Within(0, Overhead)
	}
	return plan.Within(max(soonest, min(mechanics.HookSleep(p), mechanics.GracePeriod(p))), mechanics.GracePeriod(p)+Overhead)
}

// StartsWithin is how long a pod like p takes to be ready: as long as the pods of the same workload took, as far as
// they tell.
func (v *View) StartsWithin(p *evidence.Pod) plan.Interval {
	out := plan.Within(soonest, LatestStart)
	first := true
	for _, q := range v.ready[v.TopOwner(p)] {
		took, known := startupOf(q)
		if !known {
			continue
		}
		if first {
			out = plan.Within(took, took)
		}
		first = false
		out.From, out.To = min(out.From, took), max(out.To, took)
	}
	return out
}

// startupOf returns how long a ready pod took from its creation; false: its times do not show that. After a restart, and after a long
// time not ready, ReadySince is not the first time.
func startupOf(p *evidence.Pod) (time.Duration, bool) {
	if p.ReadySince.IsZero() || p.Created.IsZero() || p.Restarts > 0 {
		return 0, false
	}
	took := p.ReadySince.Sub(p.Created)
	return took, took >= 0 && took <= longest
}

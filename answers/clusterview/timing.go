package clusterview

import (
	"time"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// Assumptions for missing evidence.
const (
	soonest = time.Second
	// LatestStart is the longest time until a pod is ready, if no start of a similar pod was observed.
	LatestStart = 2 * time.Minute
	// Overhead is the time that the kubelet needs in addition to the grace period to report that a pod is gone.
	Overhead = 5 * time.Second
	longest  = 15 * time.Minute // after a longer start, the pod was broken for some time
)

// EndsWithin returns how long a pod takes to terminate after its eviction.
func EndsWithin(p *evidence.Pod) plan.Interval {
	if p.Finished() {
		return plan.Within(0, Overhead)
	}
	return plan.Within(max(soonest, min(mechanics.HookSleep(p), mechanics.GracePeriod(p))), mechanics.GracePeriod(p)+Overhead)
}

// StartsWithin returns how long a pod like p takes to be ready, from the observed starts of pods of the same workload.
func (v *View) StartsWithin(p *evidence.Pod) plan.Interval {
	out := plan.Within(soonest, LatestStart)
	first := true
	for _, q := range v.ready[v.TopOwner(p)] {
		took, known := startupOf(q)
		if !known {
			continue
		}
		if first {
			out = plan.At(took)
		}
		first = false
		out = out.Cover(plan.At(took))
	}
	return out
}

// startupOf returns the time from the creation of a ready pod to its readiness; false if its times do not show that. After a
// restart, or a long time not ready, ReadySince is not the first time.
func startupOf(p *evidence.Pod) (time.Duration, bool) {
	if p.ReadySince.IsZero() || p.Created.IsZero() || p.Restarts > 0 {
		return 0, false
	}
	took := p.ReadySince.Sub(p.Created)
	return took, took >= 0 && took <= longest
}

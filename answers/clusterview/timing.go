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
	known := false
	for _, q := range v.ready[v.TopOwner(p)] {
		took := q.ReadySince.Sub(q.Created)
		if q.ReadySince.IsZero() || q.Created.IsZero() || took < 0 || took > longest || q.Restarts > 0 {
			continue
		}
		if !known {
			out = plan.Within(took, took)
		}
		known = true
		out.From, out.To = min(out.From, took), max(out.To, took)
	}
	return out
}

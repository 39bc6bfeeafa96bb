package drain

import (
	"time"

	"github.com/nodetriage/nodetriage/answers/clusterview"
	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/evidence/bounds"
	"github.com/nodetriage/nodetriage/mechanics"
)

// RetryAfter is the longest time between two attempts to evict a pod that a PodDisruptionBudget blocks.
const RetryAfter = 10 * time.Second

// estimate estimates the duration for the pods that can be evicted: for each wave the slowest replacement, and at the end the
// slowest termination.
func (b *builder) estimate(pods []*candidate) {
	refill, gone := map[int]*plan.Interval{}, plan.Interval{}
	last := 0
	for _, c := range pods {
		if c.plan.Action != Evict && c.plan.Action != Wait {
			continue
		}
		end := c.end()
		gone.To = max(gone.To, end.To)
		if c.plan.Action == Wait {
			continue
		}
		last = max(last, c.plan.Wave)
		if len(c.budgets) == 0 && !c.surges() {
			continue
		}
		r := c.replacedWithin(end)
		if refill[c.plan.Wave] == nil {
			refill[c.plan.Wave] = &r
		}
		s := refill[c.plan.Wave]
		*s = s.Cover(r)
	}
	for _, c := range pods {
		if c.plan.Action == Evict && c.plan.Wave == last {
			gone.From = max(gone.From, c.end().From)
		}
	}
	total := gone
	for wave := 1; wave < last; wave++ {
		s := refill[wave]
		if s == nil { // only pods that were starting refilled a budget
			s = &plan.Interval{To: plan.Duration(clusterview.LatestStart)}
		}
		total = total.Then(*s).Then(plan.Within(0, RetryAfter))
		total = plan.Within(min(total.Earliest(), mechanics.Longest), min(total.Latest(), mechanics.Longest))
	}
	b.plan.Estimate = total
}

// end returns how long the pod takes to terminate after its eviction.
func (c *candidate) end() plan.Interval {
	if c.plan.Action == Wait && !c.pod.Finished() {
		return plan.Within(0, max(0, bounds.Until(c.b.Now, c.pod.Deleted))+clusterview.Overhead)
	}
	return clusterview.EndsWithin(c.pod)
}

// replacedWithin returns how long it takes until the replacement is ready. A StatefulSet creates the new pod after the old one
// is gone.
func (c *candidate) replacedWithin(end plan.Interval) plan.Interval {
	out := c.b.StartsWithin(c.pod)
	if mechanics.Replaces(c.pod) == mechanics.WhenGone {
		out = end.Then(out)
	}
	return out
}

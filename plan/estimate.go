package plan

import (
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// What is assumed where the evidence does not tell. An eviction that was refused is tried again after at most
// RetryAfter; a replacement whose like was never seen to start takes between soonest and latest.
const (
	soonest = time.Second
	latest  = 2 * time.Minute
	// overhead is what the kubelet needs beyond the grace period to tell that a pod is gone.
	overhead = 5 * time.Second
	// RetryAfter is the longest time between two attempts to evict a pod that a budget keeps.
	RetryAfter = 10 * time.Second
	// backoff is the longest time until the scheduler tries a pod again for which there was no room
	// (podMaxBackoffSeconds, pkg/scheduler/apis/config/v1/defaults.go v1.36.3).
	backoff = 10 * time.Second
	longest = 15 * time.Minute // a longer start says that the pod was broken for a while
)

// estimate bounds how long the pods take that can go: wave after wave the slowest replacement, and at the end
// the slowest end.
func (b *builder) estimate(pods []*candidate) {
	refill, gone := map[int]*Interval{}, Interval{}
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
		s.From, s.To = min(s.From, r.From), max(s.To, r.To)
	}
	for _, c := range pods {
		if c.plan.Action == Evict && c.plan.Wave == last {
			gone.From = max(gone.From, c.end().From)
		}
	}
	total := gone
	for wave := 1; wave < last; wave++ {
		s := refill[wave]
		if s == nil { // only what was starting already refilled a budget
			s = &Interval{0, latest}
		}
		total.From = min(total.From+s.From, mechanics.Longest)
		total.To = min(total.To+s.To+RetryAfter, mechanics.Longest)
	}
	b.plan.Estimate = total
}

// end is how long the pod takes to be gone once it is evicted.
func (c *candidate) end() Interval {
	switch {
	case c.pod.Finished():
		return Interval{0, overhead}
	case c.plan.Action == Wait:
		return Interval{0, max(0, c.pod.Deleted.Sub(c.b.opt.Now)) + overhead}
	}
	return Interval{max(soonest, min(mechanics.HookSleep(c.pod), mechanics.GracePeriod(c.pod))), mechanics.GracePeriod(c.pod) + overhead}
}

// replacedWithin is how long it takes until the replacement is ready. A StatefulSet makes the new pod when the old
// one is gone.
func (c *candidate) replacedWithin(end Interval) Interval {
	out := c.b.startsWithin(c.pod)
	if mechanics.Replaces(c.pod) == mechanics.WhenGone {
		out.From, out.To = out.From+end.From, out.To+end.To
	}
	return out
}

// startsWithin is how long a pod like p takes to be ready: as long as the pods of the same workload took, as far as
// they tell.
func (b *builder) startsWithin(p *evidence.Pod) Interval {
	out := Interval{soonest, latest}
	known := false
	for _, q := range b.byOwner[b.topOwner(p)] {
		took := q.ReadySince.Sub(q.Created)
		if q.ReadySince.IsZero() || q.Created.IsZero() || took < 0 || took > longest || q.Restarts > 0 {
			continue
		}
		if !known {
			out = Interval{took, took}
		}
		known = true
		out.From, out.To = min(out.From, took), max(out.To, took)
	}
	return out
}

package drain

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics/placement"
)

// outages finds workloads whose last ready pods are evicted in one wave. No PodDisruptionBudget is needed for that: without one
// nothing protects the only replica.
func (b *builder) outages(pods []*candidate) {
	waves := map[int][]*evidence.Pod{}
	by := map[*evidence.Pod]*candidate{}
	last := 0
	for _, c := range pods {
		if c.plan.Action != Evict || !c.moves() || c.surges() {
			continue
		}
		by[c.pod] = c
		waves[c.plan.Wave] = append(waves[c.plan.Wave], c.pod)
		last = max(last, c.plan.Wave)
	}
	for wave := 1; wave <= last; wave++ {
		for _, gone := range b.Interrupts(waves[wave]) {
			b.plan.Outages = append(b.plan.Outages, b.outage(gone, by))
		}
	}
}

// outage describes the interruption of a workload. It ends when the first of its new pods is ready.
func (b *builder) outage(gone []*evidence.Pod, by map[*evidence.Pod]*candidate) Outage {
	out := Outage{Namespace: gone[0].Namespace, Workload: b.WorkloadName(gone[0]), Avoid: []shell.Text{}}
	for _, p := range gone {
		c := by[p]
		out.Pods = append(out.Pods, p.Name)
		if c.plan.Placement == placement.Pending {
			continue
		}
		again := c.replacedWithin(c.end())
		if out.Lasts == nil {
			out.Lasts = &again
		}
		out.Lasts.From, out.Lasts.To = min(out.Lasts.From, again.From), min(out.Lasts.To, again.To)
	}
	slices.Sort(out.Pods)
	if out.Lasts != nil && b.SingleReplica(gone[0]) != nil {
		out.Avoid = append(out.Avoid, drainWith(b.opt.Nodes, "--surge"))
	}
	return out
}

package drain

import (
	"fmt"

	"github.com/nodetriage/nodetriage/answers/clusterview"
	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/wording"
)

// countAgain finds a PodDisruptionBudget whose status does not match its pods. When a pod with several budgets changes, the
// disruption controller updates only one of them (kubernetes pkg/controller/disruption/disruption.go getPdbForPod, v1.36.3).
// The next change of another of its pods corrects the count.
func (c *candidate) countAgain() {
	if len(c.budgets) != 1 {
		return
	}
	b := c.budgets[0]
	n := c.HealthyOf(b)
	if n >= b.Status.CurrentHealthy {
		return
	}
	c.miscounted = true
	x := OfBudget(b)
	x.Passing = true
	x.Detail = fmt.Sprintf("the PodDisruptionBudget's status counts %s, but %d are healthy: it will allow fewer evictions after its next update", wording.Count(int(b.Status.CurrentHealthy), "healthy pod"), n)
	c.Add(x)
}

// refused explains why the PodDisruptionBudget blocks the pod, and the workaround with the least risk.
func (c *candidate) refused(b *evidence.PDB) {
	x := OfBudget(b)
	x.Detail = plan.Join(clusterview.WhyRefused(b, c.pod), clusterview.Lacking(c.Snapshot, b), clusterview.OwnedBy(b))
	c.Unblock(&x, b)
	c.Add(x)
}

// delayedBy adds that the pod waits for its turn.
func (c *candidate) delayedBy(b *evidence.PDB) {
	x := OfBudget(b)
	x.Passing = true
	x.Detail = plan.Join(fmt.Sprintf("evicted in wave %d: %s at a time", c.plan.Wave, wording.Count(int(b.Status.DisruptionsAllowed), "disruption")), clusterview.Lacking(c.Snapshot, b))
	if b.Status.DisruptionsAllowed == 0 {
		x.Detail = plan.Join(fmt.Sprintf("evicted in wave %d, when the PodDisruptionBudget allows it", c.plan.Wave), clusterview.Lacking(c.Snapshot, b))
	}
	c.Add(x)
}

package drain

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/placement"
)

// candidates looks at every pod of the nodes: what a drain leaves alone, what goes by itself, what is to be
// evicted.
func (b *builder) candidates() []*candidate {
	var out []*candidate
	for _, node := range b.opt.Nodes {
		for _, pod := range b.PodsOn(node) {
			c := &candidate{b: b, plan: Pod{Namespace: pod.Namespace, Name: pod.Name, Node: node, Placement: placement.Unknown}}
			c.plan.Action, c.plan.Message = mechanics.DrainOf(pod)
			var budgets []*evidence.PDB
			if c.plan.Action == Evict && mechanics.AsksBudgets(pod) {
				budgets = b.Budgets.Of(pod)
			}
			c.Obstacles = NewObstacles(b.View, pod, node, budgets)
			c.nodes, c.accept = b.opt.Nodes, b.opt.Accept
			out = append(out, c)
		}
	}
	return out
}

// moves reports whether the pod is one that a drain has to get rid of and that still runs.
func (c *candidate) moves() bool { return c.plan.Action == Evict && !c.pod.Finished() }

// replaced reports whether a controller surely makes the pod again.
func (c *candidate) replaced() bool {
	return c.moves() && mechanics.Replaced(c.pod)
}

// refills reports whether the replacement of the pod may become ready. That of one that is not ready may be as unhealthy,
// or was only on the wrong node: nobody can tell; nor whether an operator makes one.
func (c *candidate) refills() bool {
	recreated := c.replaced() || c.moves() && mechanics.Foreign(c.pod)
	placeable := !c.has(NoRoom) && !c.has(LocalVolume)
	return recreated && placeable && c.DeadWebhook(c.pod.Namespace, c.pod.Labels) == nil
}

// Surge is a Deployment that gets a second replica before its only one goes.
type Surge struct{ Namespace, Name, Pod string }

// delayed reports whether something takes long, or is to be seen to first, although nothing blocks.
func (c *candidate) delayed() bool {
	return c.miscounted || slices.ContainsFunc([]Kind{Foreign, Finalizer, Grace, Webhook, Policy, ComesBack, HostData}, c.has)
}

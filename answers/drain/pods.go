package drain

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/placement"
)

// candidates checks every pod of the nodes: which ones a drain ignores, which go away by themselves, which must be evicted.
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

// moves reports whether the pod is running and must be evicted.
func (c *candidate) moves() bool { return c.plan.Action == Evict && !c.pod.Finished() }

// replaced reports whether a controller certainly creates the pod again.
func (c *candidate) replaced() bool {
	return c.moves() && mechanics.Replaced(c.pod)
}

// refills reports whether the replacement of the pod may become ready. If the pod is not ready, that is unknown: its
// replacement may be unhealthy too, or only the node was wrong. It is also unknown whether an operator creates one.
func (c *candidate) refills() bool {
	recreated := c.replaced() || c.moves() && mechanics.Foreign(c.pod)
	placeable := !slices.ContainsFunc(homeless, c.has)
	return recreated && placeable && c.DeadWebhook(c.pod.Namespace, c.pod.Labels) == nil
}

// Surge is a Deployment that gets a second replica before its only one is evicted.
type Surge struct{ Namespace, Name, Pod string }

// delayed reports whether something takes long, or needs attention first, although nothing blocks.
func (c *candidate) delayed() bool {
	return c.miscounted || slices.ContainsFunc(slow, c.has)
}

package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/placement"
)

// candidates looks at every pod of the nodes: what a drain leaves alone, what goes by itself, what is to be
// evicted.
func (b *builder) candidates() []*candidate {
	var out []*candidate
	for _, node := range b.opt.Nodes {
		for _, pod := range b.s.PodsOn(node) {
			c := &candidate{b: b, pod: pod, plan: Pod{
				Namespace: pod.Namespace, Name: pod.Name, Node: node, Placement: placement.Unknown, Blockers: []Blocker{},
			}}
			c.plan.Action, c.plan.Message = mechanics.DrainOf(pod)
			if c.plan.Action == Evict && mechanics.AsksBudgets(pod) {
				c.budgets = b.budgets.Of(pod)
			}
			out = append(out, c)
		}
	}
	return out
}

// moves tells whether the pod is one that a drain has to get rid of and that still runs.
func (c *candidate) moves() bool { return c.plan.Action == Evict && !c.pod.Finished() }

// replaced tells whether a controller surely makes the pod again.
func (c *candidate) replaced() bool {
	return c.moves() && mechanics.Replaced(c.pod)
}

// refills tells whether the replacement of the pod may become ready. That of one that is not ready may be as sick,
// or was only on the wrong node: nobody can tell; nor whether an operator makes one.
func (c *candidate) refills() bool {
	return (c.replaced() || c.moves() && mechanics.Foreign(c.pod)) && !c.has(NoRoom) && !c.has(LocalVolume) && c.b.deadWebhook(c.pod.Namespace, c.pod.Labels) == nil
}

// owner is the end of the pod's chain of controllers as people write it: deployment/web.
func (c *candidate) owner() string {
	o := c.b.topOwner(c.pod)
	if o.Kind == "" {
		return c.pod.Key()
	}
	return strings.ToLower(o.Kind) + "/" + o.Name[strings.IndexByte(o.Name, '/')+1:]
}

// ownerIn is owner with the namespace: deployment/shop/web.
func (c *candidate) ownerIn() string {
	o := c.b.topOwner(c.pod)
	if o.Kind == "" {
		return c.pod.Key()
	}
	return strings.ToLower(o.Kind) + "/" + o.Name
}

// single tells whether the pod is the only replica of a workload that a second one can be made of, and returns it.
func (c *candidate) single() *evidence.Workload {
	w := c.b.s.TopOwnerOf(c.pod)
	if w == nil || w.Replicas != 1 || w.Kind != "Deployment" {
		return nil
	}
	return w
}

// Surge is a Deployment that gets a second replica before its only one goes.
type Surge struct{ Namespace, Name, Pod string }

func (c *candidate) block(x Blocker) {
	if x.Unblock == nil {
		x.Unblock = []string{}
	}
	if slices.Contains(c.b.opt.Accept, x.Kind) {
		x.passing, x.Unblock = true, []string{}
		x.Detail += " (accepted)"
	}
	c.plan.Blockers = append(c.plan.Blockers, x)
}

// blocked tells whether something stands in the way that does not pass by itself.
func (c *candidate) blocked() bool {
	return slices.ContainsFunc(c.plan.Blockers, func(x Blocker) bool { return !x.passing })
}

func (c *candidate) has(kind Kind) bool {
	return slices.ContainsFunc(c.plan.Blockers, func(x Blocker) bool { return x.Kind == kind })
}

// delayed tells whether something takes long although nothing blocks.
func (c *candidate) delayed() bool {
	return c.miscounted || slices.ContainsFunc([]Kind{Foreign, Finalizer, Grace, Webhook, Policy, ComesBack}, c.has)
}

func count(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// some joins the first names of a list and counts the rest.
func some(names []string) string {
	const most = 3
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

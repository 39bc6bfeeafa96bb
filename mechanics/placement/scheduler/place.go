package scheduler

import (
	"fmt"
	"slices"

	fwk "k8s.io/kube-scheduler/framework"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics/placement"
)

// enough is the number of feasible nodes that Place compares. In a cluster with at most this many nodes it compares
// all.
const enough = 20

// Place assigns the pod to the emptiest of the compared nodes on which it fits, like the default scores of the
// scheduler.
func (c *Cluster) Place(p *evidence.Pod) placement.Answer {
	if p.Spec == nil {
		return placement.Answer{Verdict: placement.Unknown, Message: "the spec of the pod is unknown"}
	}
	if c.unsure != "" {
		return placement.Answer{Verdict: placement.Unknown, Message: c.unsure}
	}
	t := c.templates.of(p)
	if unknown := c.unknown(t.pod); len(unknown) > 0 {
		return placement.Answer{Verdict: placement.Unknown, Message: unknown[0]}
	}
	if t.bad != nil {
		return placement.Answer{Verdict: placement.Pending, Message: t.bad.Error()}
	}
	best := c.emptiest(t)
	switch {
	case best == nil && len(c.unread) > 0:
		return c.notSeen()
	case best == nil:
		return c.refused(p)
	}
	node := best.Node().Name
	c.nodes[node].AddPodInfo(t.info)
	c.note(change{node: node, pod: t})
	return placement.Answer{Verdict: placement.Fits, Node: node}
}

// refused returns the answer for a pod that fits on no node. A node without known resources may still accept it.
func (c *Cluster) refused(p *evidence.Pod) placement.Answer {
	names := c.unsized()
	if len(names) == 0 {
		return placement.Answer{Verdict: placement.Pending, Message: c.Fit(p).Message}
	}
	of := "node " + names[0]
	if len(names) > 1 {
		of = fmt.Sprintf("%d nodes, such as %s,", len(names), names[0])
	}
	return placement.Answer{Verdict: placement.Unknown, Message: "the free capacity of " + of + " is not in the evidence"}
}

// notSeen returns the answer for a pod that fits on no node whose pods are in the evidence.
func (c *Cluster) notSeen() placement.Answer {
	seen := 0
	for name := range c.nodes {
		if !c.unread[name] {
			seen++
		}
	}
	return placement.Answer{Verdict: placement.Unknown, Unread: true,
		Message: fmt.Sprintf("it fits on none of the %d nodes whose pods were read (%d nodes in all)", seen, len(c.nodes))}
}

// emptiest iterates over nodes round-robin, like the scheduler in a large cluster, until it has enough feasible ones.
// It reuses cached results for all nodes.
func (c *Cluster) emptiest(t *template) (best fwk.NodeInfo) {
	v := c.prepared(t)
	if v.refused != nil {
		return nil
	}
	if v.looked >= 0 && !v.far {
		c.judged(t)
	}
	nodes := c.list()
	found, share := 0, 0.0
	for k := range nodes {
		i := (c.next + k) % len(nodes)
		n := nodes[i]
		name := n.Node().Name
		if c.unread[name] || v.only != nil && !v.only.Has(name) {
			continue
		}
		if v.looked == len(c.changes) && v.looked >= 0 {
			if !v.nodes[c.lister.slots[i]].IsSuccess() {
				continue
			}
		} else if !c.filter(t, v, n).IsSuccess() {
			continue
		}
		if s := booked(n); best == nil || s < share {
			best, share = n, s
		}
		if found++; found == enough {
			c.next = (i + 1) % len(nodes)
			break
		}
	}
	return best
}

// booked returns the largest share of a node resource that is in use.
func booked(n fwk.NodeInfo) float64 {
	share := func(used, all int64) float64 { return float64(used) / float64(max(all, 1)) }
	return max(share(n.GetRequested().GetMilliCPU(), n.GetAllocatable().GetMilliCPU()),
		share(n.GetRequested().GetMemory(), n.GetAllocatable().GetMemory()),
		share(int64(len(n.GetPods())), int64(n.GetAllocatable().GetAllowedPodNumber())))
}

// unsized returns the schedulable nodes without allocatable resources in the evidence, by name.
func (c *Cluster) unsized() []string {
	var out []string
	for name, n := range c.nodes {
		if !n.Node().Spec.Unschedulable && !placement.Sized(n.Node()) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

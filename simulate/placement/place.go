package placement

import (
	corev1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/nodetriage/nodetriage/evidence"
)

// enough is how many feasible nodes Place compares. In a cluster of up to so many nodes it sees all of them.
const enough = 20

// Place books the pod on a node on which it fits, and names the node: of those compared the one with the most
// room, as the scheduler's scores prefer it by default. "" with a message: it fits on none, in the scheduler's
// words. Not known: the evidence does not tell.
func (c *Cluster) Place(p *evidence.Pod) (node, message string, known bool) {
	if p.Spec == nil {
		return "", "the spec of the pod is not known", false
	}
	t := c.templates.of(p)
	if unknown := c.unknown(t.pod); len(unknown) > 0 {
		return "", unknown[0], false
	}
	if t.bad != nil {
		return "", t.bad.Error(), true
	}
	best := c.roomiest(t)
	switch {
	case best == nil && !c.sized():
		return "", "the evidence does not have the room of every node", false
	case best == nil:
		return "", c.Fit(p).Message, true
	}
	node = best.Node().Name
	c.nodes[node].AddPodInfo(t.info)
	c.note(change{node: node, pod: t})
	return node, "", true
}

// roomiest looks at nodes in turn, as the scheduler does in a large cluster, until it found enough. What is known
// of all nodes already is not asked again.
func (c *Cluster) roomiest(t *template) (best fwk.NodeInfo) {
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
		if v.only != nil && !v.only.Has(name) {
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

// booked is how much of the node is taken, of that resource of which most is.
func booked(n fwk.NodeInfo) float64 {
	share := func(used, all int64) float64 { return float64(used) / float64(max(all, 1)) }
	return max(share(n.GetRequested().GetMilliCPU(), n.GetAllocatable().GetMilliCPU()),
		share(n.GetRequested().GetMemory(), n.GetAllocatable().GetMemory()),
		share(int64(len(n.GetPods())), int64(n.GetAllocatable().GetAllowedPodNumber())))
}

// sized tells whether the evidence has what the open nodes can hold.
func (c *Cluster) sized() bool {
	for _, n := range c.nodes {
		if !n.Node().Spec.Unschedulable && !Sized(n.Node()) {
			return false
		}
	}
	return true
}

// Sized tells whether it is known what the node can hold: tables do not tell. One that is not Ready and has nothing is
// one whose kubelet has never said anything; it holds no pods.
func Sized(n *corev1.Node) bool {
	return len(n.Status.Allocatable) > 0 || (&evidence.Node{Node: n}).Ready() != evidence.True
}

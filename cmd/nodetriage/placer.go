package main

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/simulate"
	"github.com/nodetriage/nodetriage/simulate/placement"
)

// placer finds room for the pods of a forecast with the scheduler's own code.
type placer struct {
	base *placement.Cluster // of the snapshot, made at its first use
	err  error
}

func (p *placer) Place(s *evidence.Snapshot, pods []simulate.Wanted, after simulate.After) []simulate.Place {
	out := make([]simulate.Place, len(pods))
	c, err := p.cluster(s, after)
	if err != nil || !sized(s, after) {
		for i := range out {
			out[i].Fit = simulate.UnknownFit
			if err != nil {
				out[i].Message = err.Error()
			}
		}
		return out
	}
	taken := map[string]int{} // new pods, by node
	back := false
	for i, w := range pods {
		if w.NodesBack && !back {
			back = true
			comeBack(c, s, after)
			for _, w := range pods[i:] {
				leave(c, w, after)
			}
		}
		if !back {
			leave(c, w, after)
		}
		out[i] = fit(c, w.Like, taken)
	}
	return out
}

// leave takes away the pod that another one replaces.
func leave(c *placement.Cluster, w simulate.Wanted, after simulate.After) {
	if !w.OldStays && !after.Gone[w.Like.Node] {
		_ = c.Forget(w.Like, w.Like.Node) // unless it was never counted
	}
}

// sized reports whether the evidence has what the other nodes can hold.
func sized(s *evidence.Snapshot, after simulate.After) bool {
	for _, n := range s.Data().Nodes {
		if after.Taints[n.Name] == nil && !after.Gone[n.Name] && !placement.Sized(n.Node) {
			return false
		}
	}
	return true
}

// cluster is what the event leaves.
func (p *placer) cluster(s *evidence.Snapshot, after simulate.After) (*placement.Cluster, error) {
	if p.base == nil && p.err == nil {
		p.base, p.err = placement.New(s)
	}
	if p.err != nil {
		return nil, p.err
	}
	c, err := p.base.Clone()
	if err != nil {
		return nil, err
	}
	for name, taints := range after.Taints {
		if n := c.Node(name); n != nil {
			n = n.DeepCopy()
			n.Spec.Taints = append(n.Spec.Taints, taints...)
			c.PutNode(n)
		}
	}
	for name := range after.Gone {
		c.RemoveNode(name)
	}
	return c, nil
}

// comeBack gives the nodes back what they were like without their trouble.
func comeBack(c *placement.Cluster, s *evidence.Snapshot, after simulate.After) {
	for name := range after.Taints {
		n := s.Node(name)
		if n == nil {
			continue
		}
		well := n.DeepCopy()
		well.Spec.Taints = nil
		for _, t := range n.Spec.Taints {
			if t.Key != corev1.TaintNodeUnreachable && t.Key != corev1.TaintNodeNotReady {
				well.Spec.Taints = append(well.Spec.Taints, t)
			}
		}
		c.PutNode(well)
	}
}

// fit places one pod where the fewest new ones are.
func fit(c *placement.Cluster, p *evidence.Pod, taken map[string]int) simulate.Place {
	r := c.Fit(p)
	switch {
	case r.Fits():
		node := r.Feasible[0]
		for _, n := range r.Feasible {
			if taken[n] < taken[node] {
				node = n
			}
		}
		taken[node]++
		if err := c.Assume(p, node); err != nil {
			return simulate.Place{Fit: simulate.UnknownFit, Message: err.Error()}
		}
		return simulate.Place{Fit: simulate.Fits, Nodes: len(r.Feasible)}
	case r.Message != "":
		return simulate.Place{Fit: simulate.Pending, Message: r.Message}
	}
	out := simulate.Place{Fit: simulate.UnknownFit}
	if len(r.Unknown) > 0 {
		out.Message = r.Unknown[0]
	}
	return out
}

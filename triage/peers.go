package triage

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
)

// Limits of the comparison of single nodes.
const (
	fewPeers  = 3  // fewer healthy nodes may agree by chance
	mostPeers = 50 // more nodes add no information
	mostAlone = 20 // nodes that are compared
)

// Alone compares each node that failed alone with healthy nodes of the same pool, and names the traits in which it differs from
// all of them.
func Alone(s *evidence.Snapshot, cohorts []Cohort) []Cohort {
	differs := Differences(s)
	var out []Cohort
	compared := 0
	for _, n := range s.Nodes() {
		if !sick(n) || slices.ContainsFunc(cohorts, func(c Cohort) bool { return slices.Contains(c.Nodes, n.Name) }) {
			continue
		}
		if compared++; compared > mostAlone {
			break
		}
		unlike := differs(n)
		if len(unlike) == 0 {
			continue
		}
		found := Cohort{Nodes: []string{n.Name}, Shared: unlike}
		if t := fell(n); !t.IsZero() && n.NotReady() {
			found.Since = &t
		}
		out = append(out, found)
	}
	return out
}

// Differences returns a function that compares a node with healthy nodes of the same pool and names the differences.
func Differences(s *evidence.Snapshot) func(*evidence.Node) map[string]string {
	return newComparer(s).differs
}

// sick reports whether the conditions of a node show a problem.
func sick(n *evidence.Node) bool {
	for i := range n.Node.Status.Conditions {
		if evidence.Bad(&n.Node.Status.Conditions[i]) == evidence.True {
			return true
		}
	}
	return n.NotReady()
}

// peer reports whether two nodes are of the same pool, or of the same OS image if no pool is known.
func peer(a, b *evidence.Node) bool {
	return Pool(a) == Pool(b) && (Pool(a) != "" || a.Node.Status.NodeInfo.OSImage == b.Node.Status.NodeInfo.OSImage)
}

// peers returns the healthy nodes that are of the node's pool.
func (c *comparer) peers(n *evidence.Node) []*evidence.Node {
	var out []*evidence.Node
	for _, o := range c.s.Nodes() {
		if len(out) == mostPeers {
			break
		}
		if o != n && peer(o, n) && o.Ready() == evidence.True && !sick(o) {
			out = append(out, o)
		}
	}
	return out
}

// differs compares a node with the healthy nodes of its pool.
func (c *comparer) differs(n *evidence.Node) map[string]string {
	peers := c.peers(n)
	if len(peers) < fewPeers {
		return nil
	}
	candidates := map[trait]bool{}
	note := func(t trait, _ string) { candidates[t] = true }
	c.each(n, note)
	for _, o := range peers {
		c.each(o, note)
	}
	found := map[trait]string{}
	for t := range candidates {
		v, shown := c.of(n, t)
		if other, agree := c.common(peers, t, fewPeers); shown && agree && other != v {
			found[t] = v
		}
	}
	out := first(found)
	for _, a := range attributes {
		if v, there := a.of(n), nearlyAll(peers, a.of); v != "" && there != "" && there != v {
			out[a.name] = v
		}
	}
	return out
}

// nearlyAll returns the value that nearly all of the nodes have, or "".
func nearlyAll(nodes []*evidence.Node, of func(*evidence.Node) string) string {
	count := map[string]int{}
	for _, n := range nodes {
		count[of(n)]++
	}
	for v, k := range count {
		if k*10 >= len(nodes)*9 {
			return v
		}
	}
	return ""
}

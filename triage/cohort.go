package triage

import (
	"maps"
	"slices"
	"sort"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// attributes are what nodes can share, in the order in which a report names them.
var attributes = []struct {
	name string
	of   func(*evidence.Node) string
}{
	{"zone", Zone},
	{"pool", Pool},
	{"node image", NodeImage},
	{"kernel", func(n *evidence.Node) string { return n.Node.Status.NodeInfo.KernelVersion }},
	{"kubelet", func(n *evidence.Node) string { return n.Node.Status.NodeInfo.KubeletVersion }},
	{"runtime", func(n *evidence.Node) string { return n.Node.Status.NodeInfo.ContainerRuntimeVersion }},
	{"os image", func(n *evidence.Node) string { return n.Node.Status.NodeInfo.OSImage }},
	{"instance type", func(n *evidence.Node) string {
		return label(n, "node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type")
	}},
}

// Traits returns what the node has in common with others, by name; what the evidence does not tell is left out.
func Traits(n *evidence.Node) map[string]string {
	out := make(map[string]string, len(attributes))
	for _, a := range attributes {
		if v := a.of(n); v != "" {
			out[a.name] = v
		}
	}
	return out
}

// Zone, Pool and NodeImage read the labels that clouds put on nodes; empty if there is none.
func Zone(n *evidence.Node) string {
	return label(n, "topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone")
}

// Pool is the node pool or node group.
func Pool(n *evidence.Node) string {
	_, pool := n.PoolLabel()
	return pool
}

// NodeImage is the machine image of the node, where a label tells.
func NodeImage(n *evidence.Node) string {
	return label(n, "kubernetes.azure.com/node-image-version", "eks.amazonaws.com/nodegroup-image", "karpenter.k8s.aws/instance-ami-id")
}

func label(n *evidence.Node, keys ...string) string {
	for _, k := range keys {
		if v := n.Labels[k]; v != "" {
			return v
		}
	}
	return ""
}

// together is how close in time failures must begin to count as one.
const together = 3 * time.Minute

// Cohorts finds the nodes that are not Ready, groups those that fell together, and names what the group
// shares that healthy nodes do not have.
func Cohorts(s *evidence.Snapshot) []Cohort {
	out := []Cohort{}
	var bad, good []*evidence.Node
	for _, n := range s.Data().Nodes {
		if n.NotReady() {
			bad = append(bad, n)
		} else if n.Ready() == evidence.True {
			good = append(good, n)
		}
	}
	for _, group := range byStart(bad) {
		if len(group) < 2 {
			continue
		}
		c := Cohort{Shared: map[string]string{}}
		for _, n := range group {
			c.Nodes = append(c.Nodes, n.Name)
		}
		slices.Sort(c.Nodes)
		for _, a := range attributes {
			if v := shared(group, good, a.of); v != "" {
				c.Shared[a.name] = v
			}
		}
		if t := fell(group[0]); !t.IsZero() {
			c.Since = &t
			c.Shared["minute"] = t.UTC().Format("2006-01-02T15:04Z")
		}
		if len(c.Shared) > 0 {
			out = append(out, c)
		}
	}
	return out
}

// shared returns the value that nearly all of the group have and nearly no healthy node has.
func shared(group, good []*evidence.Node, of func(*evidence.Node) string) string {
	count := map[string]int{}
	for _, n := range group {
		count[of(n)]++
	}
	for _, v := range slices.Sorted(maps.Keys(count)) {
		if v == "" || count[v]*10 < len(group)*9 {
			continue
		}
		healthy := 0
		for _, n := range good {
			if of(n) == v {
				healthy++
			}
		}
		if len(good) == 0 || healthy*10 > len(good) {
			return "" // nothing that tells them from the healthy ones
		}
		return v
	}
	return ""
}

// byStart groups nodes whose failure began within a few minutes of each other; without times all are one group.
func byStart(nodes []*evidence.Node) [][]*evidence.Node {
	sorted := slices.Clone(nodes)
	sort.SliceStable(sorted, func(i, j int) bool { return fell(sorted[i]).Before(fell(sorted[j])) })
	var groups [][]*evidence.Node
	for i, n := range sorted {
		if i == 0 || fell(n).Sub(fell(sorted[i-1])) > together {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], n)
	}
	return groups
}

func fell(n *evidence.Node) time.Time {
	if c := n.Condition(corev1.NodeReady); c != nil {
		return c.LastTransitionTime.Time
	}
	return time.Time{}
}

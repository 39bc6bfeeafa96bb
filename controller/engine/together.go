package engine

import (
	"cmp"
	"maps"
	"slices"

	"github.com/nodetriage/nodetriage/api/v1alpha1"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// shared is the number of nodes from which a fault is one fault of all of them.
const shared = 3

// Group are nodes that fail for one reason. To repair them one after the other does not remove it.
type Group struct {
	Cause string // ID of the cause that most of them have; empty: unknown
	Nodes []string
}

// groups returns the groups of nodes, each node in the first one that has it: nodes that became NotReady together, and broken nodes
// of a pool with the same cause.
func groups(cohorts []triage.Cohort, s *evidence.Snapshot, broken map[string]v1alpha1.NodeDiagnosisStatus) []Group {
	var all [][]string
	for _, c := range cohorts {
		all = append(all, c.Nodes)
	}
	all = append(all, sameCause(s, broken)...)
	var out []Group
	taken := map[string]bool{}
	for _, nodes := range all {
		nodes = slices.DeleteFunc(slices.Clone(nodes), func(name string) bool { return taken[name] })
		if len(nodes) < shared {
			continue
		}
		for _, name := range nodes {
			taken[name] = true
		}
		slices.Sort(nodes)
		out = append(out, Group{Cause: commonest(nodes, broken), Nodes: nodes})
	}
	return out
}

// sameCause groups broken nodes by pool and cause, the groups in the order of both.
func sameCause(s *evidence.Snapshot, broken map[string]v1alpha1.NodeDiagnosisStatus) [][]string {
	type key struct{ pool, cause string }
	by := map[key][]string{}
	for name, status := range broken {
		if n := s.Node(name); n != nil && status.Primary != nil {
			by[key{n.Pool(), status.Primary.Cause}] = append(by[key{n.Pool(), status.Primary.Cause}], name)
		}
	}
	keys := slices.SortedFunc(maps.Keys(by), func(a, b key) int {
		return cmp.Or(cmp.Compare(a.pool, b.pool), cmp.Compare(a.cause, b.cause))
	})
	out := make([][]string, 0, len(keys))
	for _, k := range keys {
		out = append(out, by[k])
	}
	return out
}

// commonest returns the cause that most of the nodes have, of several the first by ID.
func commonest(nodes []string, broken map[string]v1alpha1.NodeDiagnosisStatus) string {
	count := map[string]int{}
	for _, name := range nodes {
		if p := broken[name].Primary; p != nil {
			count[p.Cause]++
		}
	}
	best := ""
	for _, id := range slices.Sorted(maps.Keys(count)) {
		if best == "" || count[id] > count[best] {
			best = id
		}
	}
	return best
}

// GroupOf returns the group of a node, or nil if it does not fail together with others.
func (j *Judgement) GroupOf(node string) *Group {
	for i := range j.Groups {
		if _, is := slices.BinarySearch(j.Groups[i].Nodes, node); is {
			return &j.Groups[i]
		}
	}
	return nil
}

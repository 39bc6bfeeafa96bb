package triage

import (
	"maps"
	"slices"
	"sort"
)

// explain draws the edges between what was found, from the consequences up to the roots, so that a root
// inherits the rank of the whole chain below it.
func (g *graph) explain() {
	depth := g.depths()
	ids := slices.Sorted(maps.Keys(g.byID))
	sort.SliceStable(ids, func(i, j int) bool { return depth[ids[i]] < depth[ids[j]] })
	for _, id := range ids {
		if g.in.Catalog.Cause(id) == nil {
			continue
		}
		for _, effect := range ids {
			if pair, said := g.first[id][effect]; said {
				putFirst(g.byID[id], g.byID[effect], pair.Follows)
			}
			if !g.explains(id, effect) {
				continue
			}
			for _, root := range g.byID[id] {
				if root.subject.Kind != "Node" {
					g.link(root, g.byID[effect])
					continue
				}
				g.link(root, g.onNode[effect][root.subject.Name])
				g.link(root, g.onNode[effect][""])
			}
		}
	}
	for _, root := range g.statements {
		for _, st := range root.effects {
			if st.by == nil || st.by.rank < root.rank {
				st.by = root
			}
		}
	}
}

// link makes the root the explanation of those effects that concern it. A root must be about as sure as
// another cause to come before it; symptoms are explained by whatever may be behind them.
func (g *graph) link(root *statement, effects []*statement) {
	for _, st := range effects {
		if st.cause != nil && (!demotes(root.score, st.score) || g.elsewhere(root, st)) || !related(root.place, st.place) ||
			st.id == sharedCause && root.place.name != "" && !g.inCohort(root.place.name) {
			continue
		}
		root.effects = append(root.effects, st)
		if st.cause != nil {
			root.rank = max(root.rank, st.rank+0.001)
		}
	}
}

// Two causes say only how a node fails, not why. Whatever stops nodes explains them: that nodes fail together,
// and that a node has come back.
const (
	sharedCause = "correlated-failure"
	passed      = "no-fault-transient"
)

func (g *graph) explains(id, effect string) bool {
	if (effect == sharedCause || effect == passed) && id != effect && id != passed && g.stopsNodes(id) && !g.in.Catalog.Explains(effect, id) {
		return true
	}
	return g.in.Catalog.Explains(id, effect)
}

// stopsNodes reports whether the cause can make a node NotReady.
func (g *graph) stopsNodes(id string) bool {
	return g.in.Catalog.Explains(id, "node-not-ready") || g.in.Catalog.Explains(id, "node-silent")
}

func (g *graph) inCohort(node string) bool {
	return slices.ContainsFunc(g.cohorts, func(c Cohort) bool { return slices.Contains(c.Nodes, node) })
}

// depths is, for each id that was found, the length of the longest chain of consequences below it, and of what stands
// behind it.
func (g *graph) depths() map[string]int {
	depth := map[string]int{}
	var visit func(id string) int
	visit = func(id string) int {
		if d, known := depth[id]; known {
			return d
		}
		d := 0
		for effect := range g.byID {
			if g.explains(id, effect) || g.isFirst(id, effect) {
				d = max(d, 1+visit(effect))
			}
		}
		depth[id] = d
		return d
	}
	for id := range g.byID {
		visit(id)
	}
	return depth
}

package triage

import (
	"cmp"
	"slices"
)

// put stores the pairs of causes that rules ranked. A pair that contradicts the graph or an earlier pair is dropped.
func (g *graph) put(pairs []Pair) {
	g.first = map[string]map[string]Pair{}
	pairs = slices.Clone(pairs)
	slices.SortFunc(pairs, func(a, b Pair) int { return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Then, b.Then)) })
	for _, pair := range pairs {
		if g.in.Catalog.Cause(pair.First) == nil || g.in.Catalog.Cause(pair.Then) == nil || g.leads(pair.Then, pair.First, map[string]bool{}) {
			continue
		}
		if g.first[pair.First] == nil {
			g.first[pair.First] = map[string]Pair{}
		}
		pair.Follows = pair.Follows || g.first[pair.First][pair.Then].Follows
		g.first[pair.First][pair.Then] = pair
	}
}

func (g *graph) isFirst(cause, other string) bool {
	_, said := g.first[cause][other]
	return said
}

// leads reports whether one id is already ranked before the other.
func (g *graph) leads(from, to string, seen map[string]bool) bool {
	if from == to {
		return true
	}
	seen[from] = true
	for id := range g.byID {
		if !seen[id] && (g.isFirst(from, id) || g.explains(from, id)) && g.leads(id, to, seen) {
			return true
		}
	}
	return false
}

// prefer ranks the others behind the strongest root, if that is certain enough.
func prefer(roots, others []*statement, follows bool) {
	if len(roots) == 0 {
		return
	}
	root := slices.MaxFunc(roots, func(a, b *statement) int { return cmp.Compare(a.rank, b.rank) })
	for _, st := range others {
		if !demotes(root.score, st.score) {
			continue
		}
		root.rank = max(root.rank, st.rank+0.001)
		if st.outrankedBy == nil || st.outrankedBy.rank < root.rank {
			st.outrankedBy = root
		}
		if follows && related(root.place, st.place) {
			root.effects = append(root.effects, st)
		}
	}
}

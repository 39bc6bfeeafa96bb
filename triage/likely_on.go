package triage

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
)

// likelyOn offers what was found on some nodes of a cohort for the others, which nobody looked into: they
// fell together and share what healthy nodes do not have. It is an offer, not a claim. Nodes on which it was
// found are left out, and those with another cause that it would not bring about and that its own nodes do not have.
func (g *graph) likelyOn(group []*statement) []evidence.Subject {
	var out []evidence.Subject
	if !g.in.Catalog.StopsNodes(group[0].id) || group[0].cause.Scope != "node" {
		return nil
	}
	var beside []string // what its own nodes have too
	for _, st := range group {
		beside = append(beside, g.stops[st.place.name]...)
	}
	for _, c := range g.cohorts {
		if !slices.ContainsFunc(group, func(st *statement) bool { return st.by == nil && g.standsFor(st, c) }) {
			continue
		}
		for _, name := range c.Nodes {
			if !g.hasOther(group[0].id, name, beside) {
				out = append(out, evidence.NodeSubject(name))
			}
		}
	}
	return out
}

// standsFor reports whether the statement may speak for the whole cohort: at least likely, on one of its
// nodes or on a node whose name the text does not tell.
func (g *graph) standsFor(st *statement, c Cohort) bool {
	if certainty(st.score) == Possible {
		return false
	}
	return st.subject.IsZero() || slices.Contains(c.Nodes, st.place.name)
}

func (g *graph) hasOther(id, node string, beside []string) bool {
	return slices.ContainsFunc(g.stops[node], func(other string) bool {
		return other == id || !g.explains(id, other) && !slices.Contains(beside, other)
	})
}

package triage

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
)

// likelyOn returns the other nodes of a cohort on which the cause is likely, without evidence from these nodes. They failed at the
// same time and share what healthy nodes do not have. Nodes with this cause are left out. So are nodes with a different cause that
// it does not explain and that its own nodes do not have.
func (g *graph) likelyOn(group []*statement) []evidence.Subject {
	var out []evidence.Subject
	if !g.in.Catalog.StopsNodes(group[0].id) || group[0].cause.Scope != "node" {
		return nil
	}
	var beside []string // other causes on its own nodes
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

// standsFor reports whether the statement may apply to the whole cohort. It is at least likely, and on a node of the cohort or
// without a node name.
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

package triage

import "slices"

// elsewhere reports whether nothing ties a cause of which no node is known to the node of another cause: it was read in other
// sources, and the evidence is of several nodes. One of several nodes explains nothing that may be of any of them.
func (g *graph) elsewhere(root, st *statement) bool {
	nameless := st.place.anywhere && (st.subject.IsZero() || st.subject.Kind == "Pod")
	return nameless && root.subject.Kind == "Node" && g.severalNodes() && !slices.ContainsFunc(root.sources(), func(source string) bool {
		return slices.Contains(st.sources(), source)
	})
}

// severalNodes reports whether the evidence names more than one node.
func (g *graph) severalNodes() bool {
	if len(g.in.Snapshot.Nodes()) > 1 {
		return true
	}
	first := ""
	for _, st := range g.statements {
		switch {
		case st.place.name == "" || st.place.name == first:
		case first != "":
			return true
		default:
			first = st.place.name
		}
	}
	return false
}

// sources are the files and objects that a statement rests on.
func (st *statement) sources() []string {
	var out []string
	for _, c := range st.claims {
		for _, ref := range c.Evidence {
			out = append(out, ref.Source)
		}
	}
	return out
}

package triage

import "slices"

// elsewhere reports whether nothing ties a cause of which no node is known to the node of another cause: it was read in other
// sources, and the evidence is of several nodes. One of several nodes explains nothing that may be of any of them.
func (g *graph) elsewhere(root, st *statement) bool {
	nameless := st.place.anywhere && (st.subject.IsZero() || st.subject.Kind == "Pod")
	return nameless && root.subject.Kind == "Node" && g.several && !g.shareSource(root, st)
}

// shareSource reports whether two statements rest on one file or object.
func (g *graph) shareSource(a, b *statement) bool {
	return slices.ContainsFunc(a.sources(), func(source string) bool { return slices.Contains(b.sources(), source) })
}

// guessed reports whether a cause on a node would explain another, of which no node is known, only by way of a third of
// which the evidence says nothing, and nothing else ties the two: a stuck kernel may stop etcd, and without etcd no request
// for a certificate is approved, but nobody said that etcd stopped.
func (g *graph) guessed(root, st *statement) bool {
	if !st.place.anywhere || root.subject.Kind != "Node" || g.shareSource(root, st) || g.in.Catalog.Role(st.id) != "" {
		return false
	}
	return !g.byWayOfFound(root.id, st.id)
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

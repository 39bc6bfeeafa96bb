package triage

import "slices"

// elsewhere reports whether nothing ties a cause without a known node to the node of another cause: it was read from other sources,
// and the evidence has several nodes. The cause of one node then does not explain it.
func (g *graph) elsewhere(root, st *statement) bool {
	nameless := st.place.anywhere && (st.subject.IsZero() || st.subject.Kind == "Pod")
	return nameless && root.subject.Kind == "Node" && g.several && !g.shareSource(root, st)
}

// shareSource reports whether two statements rest on the same file or object.
func (g *graph) shareSource(a, b *statement) bool {
	return slices.ContainsFunc(a.sources(), func(source string) bool { return slices.Contains(b.sources(), source) })
}

// guessed reports whether a cause on a node explains another, without a known node, only through a third cause that was not found.
// Nothing else ties the two. A stuck kernel may stop etcd, and without etcd no CSR is approved, but nothing shows that etcd
// stopped.
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

// sources returns the files and objects that a statement rests on.
func (st *statement) sources() []string {
	var out []string
	for _, c := range st.claims {
		for _, ref := range c.Evidence {
			out = append(out, ref.Source)
		}
	}
	return out
}

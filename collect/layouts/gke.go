package layouts

import "github.com/nodetriage/nodetriage/knowledge/lazyregexp"

// GKE is the layout that people use for saved data of GKE nodes.
var GKE = &Layout{
	Tool:   "GKE",
	Source: "names of nodes: cluster, pool, and two random parts",
	Nodes:  []*lazyregexp.Regexp{lazyregexp.New(`(?:^|/)(?P<node>gke-[a-z0-9-]+-[0-9a-f]{8}-[a-z0-9]{4})(?:[/._]|$)`)},
}

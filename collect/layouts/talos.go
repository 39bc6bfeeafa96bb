package layouts

import "github.com/nodetriage/nodetriage/knowledge/lazyregexp"

// Talos is the layout of talosctl support.
var Talos = &Layout{
	Tool:    "talosctl support",
	Source:  "siderolabs/go-talos-support support/collectors",
	Proof:   lazyregexp.New(`(?:^|/)kubernetesResources/`),
	Lists:   []List{{Path: lazyregexp.New(`(?:^|/)kubernetesResources/(?P<kind>nodes)\.yaml$`)}},
	Nodes:   []*lazyregexp.Regexp{lazyregexp.New(`(?:^|/)(?P<node>\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})/`)}, // the address
	Cluster: lazyregexp.New(`(?:^|/)kubernetesResources/`),
}

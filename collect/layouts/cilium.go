package layouts

import "github.com/nodetriage/nodetriage/knowledge/lazyregexp"

// Cilium is the layout of cilium sysdump.
var Cilium = &Layout{
	Tool:    "cilium sysdump",
	Source:  "cilium/cilium cilium-cli/sysdump/constants.go",
	Proof:   lazyregexp.New(`(?:^|/)cilium-sysdump-|(?:^|/)k8s-namespaces-\d`),
	Lists:   []List{{Path: lazyregexp.New(`(?:^|/)k8s-(?P<kind>nodes|pods|events|leases|namespaces)-[0-9-]+\.yaml$`), Everywhere: true}},
	Repeats: lazyregexp.New(`(?:^|/)k8s-events-[0-9-]+\.html$`),
}

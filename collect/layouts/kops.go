package layouts

import "github.com/nodetriage/nodetriage/knowledge/lazyregexp"

// Kops is the layout of kops toolbox dump.
var Kops = &Layout{
	Tool:   "kops toolbox dump",
	Source: "kubernetes/kops pkg/dump/dumper.go",
	Nodes:  []*lazyregexp.Regexp{lazyregexp.New(`(?:^|/)(?P<node>ip-\d{1,3}-\d{1,3}-\d{1,3}-\d{1,3}(?:\.[a-z0-9.-]+)?)/`)},
}

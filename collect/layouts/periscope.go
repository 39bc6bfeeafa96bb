package layouts

import "github.com/nodetriage/nodetriage/knowledge/lazyregexp"

// Periscope is the layout of AKS Periscope.
var Periscope = &Layout{
	Tool:   "AKS Periscope",
	Source: "Azure/aks-periscope pkg/collector",
	Nodes: []*lazyregexp.Regexp{
		lazyregexp.New(`(?:^|/)(?P<node>aks-[a-z0-9]+-\d+-vmss[0-9a-z]{6})(?:[/._]|$)`),
		lazyregexp.New(`(?:^|/)(?P<node>[a-z0-9][a-z0-9.-]*)/(?:networkoutbound|kubeletcmd|systemlogs|systemperf)(?:/|$)`),
	},
}

package layouts

import "github.com/nodetriage/nodetriage/knowledge/lazyregexp"

// Sonobuoy is the layout of sonobuoy snapshots.
var Sonobuoy = &Layout{
	Tool:    "sonobuoy",
	Source:  "vmware-tanzu/sonobuoy pkg/discovery/query.go",
	Proof:   lazyregexp.New(`(?:^|/)resources/cluster/`),
	Lists:   []List{{Path: lazyregexp.New(`(?:^|/)resources/(?:cluster|ns/(?P<ns>[^/]+))/(?:[a-z0-9.-]+_v[0-9a-z]+_)?(?P<kind>[A-Za-z]+)\.json$`)}},
	PodLogs: []PodLog{{Path: lazyregexp.New(`(?:^|/)podlogs/(?P<ns>[^/]+)/(?P<pod>[^/]+)/(?:logs/)?[^/]+$`), Whole: true}},
	Nodes: []*lazyregexp.Regexp{
		lazyregexp.New(`(?:^|/)hosts/(?P<node>[^/]+)/`),
		lazyregexp.New(`(?:^|/)plugins/[^/]+/results/(?P<node>[^/]+)/[^/]+$`),
	},
	Cluster: lazyregexp.New(`(?:^|/)resources/`),
}

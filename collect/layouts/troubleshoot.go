package layouts

import "github.com/nodetriage/nodetriage/knowledge/lazyregexp"

// Troubleshoot is the layout of troubleshoot support bundles.
var Troubleshoot = &Layout{
	Tool:    "Troubleshoot",
	Source:  "replicatedhq/troubleshoot pkg/constants, pkg/collect/cluster_resources.go",
	Proof:   lazyregexp.New(`(?:^|/)cluster-resources/`),
	Lists:   []List{{Path: lazyregexp.New(`(?:^|/)cluster-resources/(?P<kind>[a-z-]+)(?:/(?P<ns>[^/]+))?\.json$`)}},
	PodLogs: []PodLog{{Path: lazyregexp.New(`(?:^|/)cluster-resources/pods/logs/(?P<ns>[^/]+)/(?P<pod>[^/]+)/[^/]+$`), Whole: true}},
	Cluster: lazyregexp.New(`(?:^|/)cluster-resources/`),
}

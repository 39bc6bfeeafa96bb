package layouts

import "github.com/nodetriage/nodetriage/knowledge/lazyregexp"

// ClusterInfo is the layout of kubectl cluster-info dump.
var ClusterInfo = &Layout{
	Tool:    "kubectl cluster-info dump",
	Source:  "kubectl pkg/cmd/clusterinfo",
	Proof:   lazyregexp.New(`(?:^|/)kube-system/(?:replication-controllers|daemonsets)\.json$`),
	Lists:   []List{{Path: lazyregexp.New(`(?:^|/)(?:(?P<ns>[^/]+)/)?(?P<kind>nodes|pods|events|deployments|replicasets|daemonsets|replication-controllers)\.json$`)}},
	PodLogs: []PodLog{{Path: lazyregexp.New(`(?:^|/)(?P<ns>[a-z0-9-]+)/(?P<pod>[a-z0-9.-]+)/logs\.txt$`), Whole: true}},
	Cluster: lazyregexp.New(`(?:^|/)cluster-info/`),
}

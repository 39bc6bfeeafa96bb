package layouts

import "github.com/nodetriage/nodetriage/knowledge/lazyregexp"

// MicroK8s is the layout of microk8s inspect, which reads a node and its API server.
var MicroK8s = &Layout{
	Tool:     "microk8s inspect",
	Source:   "canonical/microk8s scripts/inspect.sh",
	Journals: []*lazyregexp.Regexp{lazyregexp.New(`(?:^|/)inspection-report/snap\.microk8s\.daemon-[\w-]+/journal\.log$`)},
	Cluster:  lazyregexp.New(`(?:^|/)inspection-report/k8s/`),
}

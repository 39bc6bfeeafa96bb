package layouts

import "github.com/nodetriage/nodetriage/knowledge/lazyregexp"

// MicroK8s is how microk8s inspect arranges what it collects, on a node and from its API server.
var MicroK8s = &Layout{
	Tool:     "microk8s inspect",
	Source:   "canonical/microk8s scripts/inspect.sh",
	Journals: []*lazyregexp.Regexp{lazyregexp.New(`(?:^|/)inspection-report/snap\.microk8s\.daemon-[\w-]+/journal\.log$`)},
	Cluster:  lazyregexp.New(`(?:^|/)inspection-report/k8s/`),
}

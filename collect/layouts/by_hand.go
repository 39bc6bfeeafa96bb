package layouts

import "github.com/nodetriage/nodetriage/knowledge/lazyregexp"

// ByHand is how people save logs of the system by hand, in the way of kubectl logs.
var ByHand = &Layout{
	Tool:    "by hand",
	PodLogs: []PodLog{{Path: lazyregexp.New(`(?:^|/)(?P<ns>kube-system)/(?P<pod>[a-z0-9.-]+)/(?P<container>[a-z0-9-]+)(?:[.-]previous)?\.(?:log|txt)$`)}},
}

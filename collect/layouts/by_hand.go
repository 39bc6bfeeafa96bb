package layouts

import "github.com/nodetriage/nodetriage/knowledge/lazyregexp"

// ByHand is the layout in which people save logs of system pods by hand, with kubectl logs.
var ByHand = &Layout{
	Tool:    "by hand",
	PodLogs: []PodLog{{Path: lazyregexp.New(`(?:^|/)(?P<ns>kube-system)/(?P<pod>[a-z0-9.-]+)/(?P<container>[a-z0-9-]+)(?:[.-]previous)?\.(?:log|txt)$`)}},
}

package layouts

import "github.com/nodetriage/nodetriage/knowledge/lazyregexp"

// Node is the layout of container logs on a node.
var Node = &Layout{
	Tool:   "a node",
	Source: "kubernetes pkg/kubelet/kuberuntime/helpers.go, legacy.go",
	PodLogs: []PodLog{
		{Path: lazyregexp.New(`(?:^|/)(?P<ns>[a-z0-9-]+)_(?P<pod>[a-z0-9.-]+)_[0-9a-f-]{32,36}/.+\.log[^/]*$`)},     // /var/log/pods
		{Path: lazyregexp.New(`(?:^|/)(?P<pod>[a-z0-9.-]+)_(?P<ns>[a-z0-9-]+)_[a-z0-9-]+-[0-9a-f]{64}\.log[^/]*$`)}, // /var/log/containers
	},
}

package layouts

import "github.com/nodetriage/nodetriage/knowledge/lazyregexp"

// MustGather is the layout of oc adm must-gather and oc adm inspect.
var MustGather = &Layout{
	Tool:   "must-gather",
	Source: "openshift/must-gather collection-scripts/gather; openshift/oc pkg/cli/admin/inspect/namespace.go",
	Proof:  lazyregexp.New(`(?:^|/)cluster-scoped-resources/config\.openshift\.io/`),
	Lists: []List{
		{ // nodes, volumes, attachments, requests
			Path:    lazyregexp.New(`(?:^|/)cluster-scoped-resources/[^/]+/(?P<kind>nodes|persistentvolumes|volumeattachments|csinodes|certificatesigningrequests)(?:/[^/]+)?\.yaml$`),
			Objects: true,
		},
		{ // leases of all namespaces
			Path:    lazyregexp.New(`(?:^|/)namespaces/(?P<ns>kube-node-lease)/coordination\.k8s\.io/(?P<kind>leases)(?:/[^/]+)?\.yaml$`),
			Objects: true,
		},
		{Path: lazyregexp.New(`(?:^|/)namespaces/(?P<ns>[^/]+)/core/(?P<kind>pods)\.(?:ya?ml|json)$`)}, // of the collected namespaces
	},
	PodLogs:  []PodLog{{Path: lazyregexp.New(`(?:^|/)namespaces/(?P<ns>[^/]+)/pods/(?P<pod>[^/]+)/.*logs/[^/]+$`), Whole: true}},
	Journals: []*lazyregexp.Regexp{lazyregexp.New(`(?:^|/)host_service_logs/[^/]+/[^/]+\.log$`)},
	Nodes:    []*lazyregexp.Regexp{lazyregexp.New(`(?:^|/)nodes/(?P<node>[^/]+)/[^/]`)}, // as in support-bundle-kit
	Cluster:  lazyregexp.New(`(?:^|/)cluster-scoped-resources/`),
	Repeats:  lazyregexp.New(`(?:^|/)event-filter\.html$`),
}

package layouts

import "github.com/nodetriage/nodetriage/knowledge/lazyregexp"

// Rancher is the layout of Rancher's collectors for k3s, RKE2 and kubeadm.
var Rancher = &Layout{
	Tool:    "Rancher's collector",
	Source:  "rancherlabs/support-tools",
	Proof:   lazyregexp.New(`(?:^|/)systeminfo/`),
	Lists:   []List{{Path: lazyregexp.New(`(?:^|/)(?:k3s|rke2|rke|kubeadm)/kubectl/(?P<kind>nodes)\.json$`)}},
	PodLogs: []PodLog{{Path: lazyregexp.New(`(?:^|/)podlogs/(?P<ns>(?:[a-z]+-)+?system|tigera-operator)-(?P<pod>[a-z0-9.-]+?)(?:-previous)?$`)}},
	// Journals reach to the time of the collection (journalctl without an end time).
	Journals: []*lazyregexp.Regexp{lazyregexp.New(`(?:^|/)journald/[\w.@-]+$`)},
	Nodes:    []*lazyregexp.Regexp{lazyregexp.New(`(?:^|/)(?P<node>[^/]+)-\d{4}-\d\d-\d\d_\d\d_\d\d_\d\d/`)}, // the host name
	Cluster:  lazyregexp.New(`(?:^|/)kubectl/`),
}

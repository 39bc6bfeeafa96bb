package layouts

import "github.com/nodetriage/nodetriage/knowledge/lazyregexp"

// Rancher is how the collectors of Rancher for k3s, RKE2 and kubeadm arrange what they collect.
var Rancher = &Layout{
	Tool:    "Rancher's collector",
	Source:  "rancherlabs/support-tools",
	Proof:   lazyregexp.New(`(?:^|/)systeminfo/`),
	Lists:   []List{{Path: lazyregexp.New(`(?:^|/)(?:k3s|rke2|rke|kubeadm)/kubectl/(?P<kind>nodes)\.json$`)}},
	PodLogs: []PodLog{{Path: lazyregexp.New(`(?:^|/)podlogs/(?P<ns>(?:[a-z]+-)+?system|tigera-operator)-(?P<pod>[a-z0-9.-]+?)(?:-previous)?$`)}},
	// A journal is followed up to the collection (journalctl without a time to end at).
	Journals: []*lazyregexp.Regexp{lazyregexp.New(`(?:^|/)journald/[\w.@-]+$`)},
	Nodes:    []*lazyregexp.Regexp{lazyregexp.New(`(?:^|/)(?P<node>[^/]+)-\d{4}-\d\d-\d\d_\d\d_\d\d_\d\d/`)}, // the host name
	Cluster:  lazyregexp.New(`(?:^|/)kubectl/`),
}

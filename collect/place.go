package collect

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/lazyregexp"
)

// podLog is a path at which a log of a container is saved.
type podLog struct {
	path *lazyregexp.Regexp
	// whole: the tool asked for it up to that moment, or for that of the run before. A file below /var/log may have been rotated away
	// since, and people save parts.
	whole bool
}

// podLogs are the paths that dumps and nodes give to the logs of containers.
var podLogs = []podLog{
	{path: lazyregexp.New(`(?:^|/)cluster-resources/pods/logs/(?P<ns>[^/]+)/(?P<pod>[^/]+)/[^/]+$`), whole: true},                      // troubleshoot
	{path: lazyregexp.New(`(?:^|/)namespaces/(?P<ns>[^/]+)/pods/(?P<pod>[^/]+)/.*logs/[^/]+$`), whole: true},                           // oc adm inspect
	{path: lazyregexp.New(`(?:^|/)podlogs/(?P<ns>[^/]+)/(?P<pod>[^/]+)/(?:logs/)?[^/]+$`), whole: true},                                // sonobuoy
	{path: lazyregexp.New(`(?:^|/)podlogs/(?P<ns>(?:[a-z]+-)+?system|tigera-operator)-(?P<pod>[a-z0-9.-]+?)(?:-previous)?$`)},          // Rancher's collector
	{path: lazyregexp.New(`(?:^|/)kubecapture/core_v1/(?P<ns>[^/]+)/(?P<pod>[^/]+)/[^/]+/[^/]+\.log$`), whole: true},                   // crash-diagnostics
	{path: lazyregexp.New(`(?:^|/)(?P<ns>[a-z0-9-]+)/(?P<pod>[a-z0-9.-]+)/logs\.txt$`), whole: true},                                   // kubectl cluster-info dump
	{path: lazyregexp.New(`(?:^|/)(?P<ns>[a-z0-9-]+)_(?P<pod>[a-z0-9.-]+)_[0-9a-f-]{32,36}/.+\.log[^/]*$`)},                            // /var/log/pods
	{path: lazyregexp.New(`(?:^|/)(?P<pod>[a-z0-9.-]+)_(?P<ns>[a-z0-9-]+)_[a-z0-9-]+-[0-9a-f]{64}\.log[^/]*$`)},                        // /var/log/containers
	{path: lazyregexp.New(`(?:^|/)(?P<ns>kube-system)/(?P<pod>[a-z0-9.-]+)/(?P<container>[a-z0-9-]+)(?:[.-]previous)?\.(?:log|txt)$`)}, // by hand, like kubectl logs
}

// clusterPaths hold what a tool asked the API server, on whatever machine it ran.
var clusterPaths = lazyregexp.New(`(?:^|/)(?:kubectl|cluster-resources|cluster-scoped-resources|cluster-info|kubernetesResources|resources)/`)

// nodePaths are the paths that hold what concerns one node.
var nodePaths = []*lazyregexp.Regexp{
	lazyregexp.New(`(?:^|/)hosts/(?P<node>[^/]+)/`),                                                                    // sonobuoy
	lazyregexp.New(`(?:^|/)plugins/[^/]+/results/(?P<node>[^/]+)/[^/]+$`),                                              // sonobuoy
	lazyregexp.New(`(?:^|/)nodes/(?P<node>[^/]+)/[^/]`),                                                                // must-gather, support-bundle-kit
	lazyregexp.New(`(?:^|/)(?P<node>[^/]+)-\d{4}-\d\d-\d\d_\d\d_\d\d_\d\d/`),                                           // Rancher's collector: the host name
	lazyregexp.New(`(?:^|/)(?P<node>aks-[a-z0-9]+-\d+-vmss[0-9a-z]{6})(?:[/._]|$)`),                                    // aks-periscope
	lazyregexp.New(`(?:^|/)(?P<node>[a-z0-9][a-z0-9.-]*)/(?:networkoutbound|kubeletcmd|systemlogs|systemperf)(?:/|$)`), // Periscope
	lazyregexp.New(`(?:^|/)(?P<node>ip-\d{1,3}-\d{1,3}-\d{1,3}-\d{1,3}(?:\.[a-z0-9.-]+)?)/`),                           // kops toolbox dump
	lazyregexp.New(`(?:^|/)saved-(?P<node>[A-Za-z0-9_-]+)-\d{8}T\d{6}Z/`),                                              // an archive of an agent, as drain and repair name it
	lazyregexp.New(`(?:^|/)eks_(?P<node>i-[0-9a-f]{8,17})_`),                                                           // EKS log collector: the instance
	lazyregexp.New(`(?:^|/)(?P<node>gke-[a-z0-9-]+-[0-9a-f]{8}-[a-z0-9]{4})(?:[/._]|$)`),                               // GKE
	lazyregexp.New(`(?:^|/)(?P<node>\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})/`),                                             // talosctl support: the address
}

// notNodes are names that stand in the place of a node's.
var notNodes = map[string]bool{"global": true, "errors": true}

// place is whose text a file holds by its path.
type place struct {
	subject evidence.Subject // a node or a pod; zero: the path does not say
	// application: the log of a pod that is no part of the system.
	application bool
}

func placeOf(path string) place {
	for _, l := range podLogs {
		if m := l.path.FindStringSubmatch(path); m != nil {
			ns, pod := m[l.path.SubexpIndex("ns")], m[l.path.SubexpIndex("pod")]
			return place{subject: evidence.PodSubject(ns, pod), application: !evidence.ComponentNamespace(ns)}
		}
	}
	return place{subject: nodeOf(path)}
}

func nodeOf(path string) evidence.Subject {
	if clusterPaths.MatchString(path) {
		return evidence.Subject{}
	}
	for _, re := range nodePaths {
		if m := re.FindStringSubmatch(path); m != nil && !notNodes[m[1]] {
			return evidence.NodeSubject(m[1])
		}
	}
	return evidence.Subject{}
}

// repeated are pages that tools make of lists that they write beside them.
var repeated = lazyregexp.New(`(?:^|/)(?:event-filter|k8s-events-[0-9-]+)\.html$`)

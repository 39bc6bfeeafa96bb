package collect

import (
	"path"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/lazyregexp"
)

// layout is how a tool arranges a dump of a cluster. Only what the tool reads without a selector is in it, so
// that a list found there is all there is.
type layout struct {
	// proof is a path that the tool writes at every run.
	proof *lazyregexp.Regexp
	// list is the path of one list, or of the objects of one kind, with the group kind and, for those of one
	// namespace, ns.
	list *lazyregexp.Regexp
	// objects: the path is that of single objects, all of which are there.
	objects bool
	// everywhere: lists that name no namespace are of all namespaces.
	everywhere bool
}

// layouts are those known from the tools' sources.
var layouts = []layout{
	{ // kubectl cluster-info dump --output-directory (kubectl pkg/cmd/clusterinfo)
		proof: lazyregexp.New(`(?:^|/)kube-system/(?:replication-controllers|daemonsets)\.json$`),
		list:  lazyregexp.New(`(?:^|/)(?:(?P<ns>[^/]+)/)?(?P<kind>nodes|pods|events|deployments|replicasets|daemonsets|replication-controllers)\.json$`),
	},
	{ // support bundles of troubleshoot (replicatedhq/troubleshoot pkg/constants, pkg/collect/cluster_resources.go)
		proof: lazyregexp.New(`(?:^|/)cluster-resources/`),
		list:  lazyregexp.New(`(?:^|/)cluster-resources/(?P<kind>[a-z-]+)(?:/(?P<ns>[^/]+))?\.json$`),
	},
	{ // must-gather of OpenShift (openshift/must-gather collection-scripts/gather: nodes, volumes, attachments, requests)
		proof:   lazyregexp.New(`(?:^|/)cluster-scoped-resources/config\.openshift\.io/`),
		list:    lazyregexp.New(`(?:^|/)cluster-scoped-resources/[^/]+/(?P<kind>nodes|persistentvolumes|volumeattachments|csinodes|certificatesigningrequests)(?:/[^/]+)?\.yaml$`),
		objects: true,
	},
	{ // and its leases, of all namespaces
		proof:   lazyregexp.New(`(?:^|/)cluster-scoped-resources/config\.openshift\.io/`),
		list:    lazyregexp.New(`(?:^|/)namespaces/(?P<ns>kube-node-lease)/coordination\.k8s\.io/(?P<kind>leases)(?:/[^/]+)?\.yaml$`),
		objects: true,
	},
	{ // and the pods of the namespaces that it reads (openshift/oc pkg/cli/admin/inspect/namespace.go)
		proof: lazyregexp.New(`(?:^|/)cluster-scoped-resources/config\.openshift\.io/`),
		list:  lazyregexp.New(`(?:^|/)namespaces/(?P<ns>[^/]+)/core/(?P<kind>pods)\.(?:ya?ml|json)$`),
	},
	{ // snapshots of sonobuoy (vmware-tanzu/sonobuoy pkg/discovery/query.go)
		proof: lazyregexp.New(`(?:^|/)resources/cluster/`),
		list:  lazyregexp.New(`(?:^|/)resources/(?:cluster|ns/(?P<ns>[^/]+))/(?:[a-z0-9.-]+_v[0-9a-z]+_)?(?P<kind>[A-Za-z]+)\.json$`),
	},
	{ // talosctl support (siderolabs/go-talos-support support/collectors)
		proof: lazyregexp.New(`(?:^|/)kubernetesResources/`),
		list:  lazyregexp.New(`(?:^|/)kubernetesResources/(?P<kind>nodes)\.yaml$`),
	},
	{ // the collectors of Rancher for k3s, RKE2 and kubeadm (rancherlabs/support-tools)
		proof: lazyregexp.New(`(?:^|/)systeminfo/`),
		list:  lazyregexp.New(`(?:^|/)(?:k3s|rke2|rke|kubeadm)/kubectl/(?P<kind>nodes)\.json$`),
	},
	{ // cilium sysdump (cilium/cilium cilium-cli/sysdump/constants.go)
		proof:      lazyregexp.New(`(?:^|/)cilium-sysdump-|(?:^|/)k8s-namespaces-\d`),
		list:       lazyregexp.New(`(?:^|/)k8s-(?P<kind>nodes|pods|events|leases|namespaces)-[0-9-]+\.yaml$`),
		everywhere: true,
	},
}

// kindOfPath is the kind that a file or folder name stands for: nodes, pod-disruption-budgets, core_v1_nodes,
// k8s-nodes-20260102-030405. Empty: none.
func kindOfPath(name string) string {
	name = strings.ToLower(name)
	plain := strings.NewReplacer("-", "", "_", "").Replace(name)
	for _, n := range []string{name, plain, plain + "s", plain + "es"} {
		if o := evidence.ObjectNamed(n); o != nil {
			return o.Kind
		}
	}
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' || r == '.' }) {
		if o := evidence.ObjectNamed(part); o != nil {
			return o.Kind
		}
	}
	return ""
}

// kindOfDocument is the kind of the objects in a file that do not say it themselves: by the name of the file, or
// else of its folder.
func kindOfDocument(d document) string {
	base := path.Base(d.path)
	if k := kindOfPath(strings.TrimSuffix(base, path.Ext(base))); k != "" {
		return k
	}
	return kindOfPath(path.Base(path.Dir(d.path)))
}

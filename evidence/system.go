package evidence

import "strings"

// SystemNamespace reports whether the namespace holds what nodes need to work.
func SystemNamespace(ns string) bool {
	switch ns {
	case "kube-system", "calico-system", "tigera-operator", "cilium", "kube-flannel", "gmp-system", "gke-managed-system",
		"openshift-sdn", "openshift-ovn-kubernetes", "openshift-multus", "openshift-dns":
		return true
	}
	return false
}

// ComponentNamespace reports whether the namespace is one of those that distributions and network, storage and device plugins
// use. What pods write there counts as the words of a component: only cluster admins are expected to create such namespaces.
func ComponentNamespace(ns string) bool {
	for _, prefix := range []string{"kube-", "openshift-", "calico-", "tigera-", "cattle-", "gke-", "gmp-", "aks-", "cilium", "rook-", "longhorn", "gpu-operator", "nvidia-"} {
		if strings.HasPrefix(ns, prefix) {
			return true
		}
	}
	return strings.HasSuffix(ns, "-system") || ns == "node-feature-discovery"
}

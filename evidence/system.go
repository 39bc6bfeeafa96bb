package evidence

// SystemNamespace reports whether the namespace holds what nodes need to work.
func SystemNamespace(ns string) bool {
	switch ns {
	case "kube-system", "calico-system", "tigera-operator", "cilium", "kube-flannel", "gmp-system", "gke-managed-system",
		"openshift-sdn", "openshift-ovn-kubernetes", "openshift-multus", "openshift-dns":
		return true
	}
	return false
}

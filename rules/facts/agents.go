package facts

import "strings"

// Agents are the names of the pods that give a node its pod network, one per node, and the plugin they
// belong to.
var Agents = []struct{ Prefix, Plugin string }{
	{"calico-node", "calico"}, {"canal", "canal"}, {"kube-flannel", "flannel"}, {"flannel-", "flannel"},
	{"cilium-", "cilium"}, {"weave-net", "weave"}, {"aws-node", "aws"}, {"azure-cns", "azure"}, {"azure-cni", "azure"},
	{"antrea-agent", "antrea"}, {"kube-router", "kube-router"}, {"ovnkube-node", "ovn"}, {"sdn-", "openshift-sdn"},
	{"kindnet", "kindnet"}, {"anetd", "cilium"}, {"netd-", "gke"}, {"kube-ovn-cni", "kube-ovn"}, {"kube-multus", "multus"},
	{"multus-", "multus"},
}

// NetworkAgent returns the plugin of a network agent by the pod's name, or "".
func NetworkAgent(name string) string {
	for _, a := range Agents {
		if strings.HasPrefix(name, a.Prefix) && !notAnAgent(name) {
			return a.Plugin
		}
	}
	return ""
}

// notAnAgent tells the pods of a plugin that do not run on every node.
func notAnAgent(name string) bool {
	for _, part := range []string{"operator", "autoscaler", "-envoy", "cleanup", "monitor", "test", "-relay"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// OfPlugin tells pods of a network plugin that are no node agents: its controllers and operators.
func OfPlugin(name string) bool {
	for _, prefix := range []string{"calico-", "cilium", "antrea-", "ovnkube-", "kube-ovn-", "tigera-operator", "weave-"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// families are the plugins that share agents and configuration names: Canal is Calico's policy on flannel's
// network, and Multus calls another plugin.
var families = map[string]string{"canal": "calico flannel", "multus": "*", "kube-ovn": "ovn", "gke": "*"}

// Runs reports whether agents of the plugin are among those that run.
func Runs(plugin string, running map[string]bool) bool {
	if running[plugin] {
		return true
	}
	for agent := range running {
		if family := families[agent]; family == "*" || strings.Contains(family, plugin) {
			return true
		}
	}
	return false
}

// PluginOf is the plugin that a name of a CNI type or file belongs to, or "" for those that many use.
func PluginOf(name string) string {
	for _, plugin := range []string{"calico", "canal", "cilium", "flannel", "weave", "antrea", "kube-router", "kuberouter", "multus", "kindnet", "azure", "aws"} {
		if strings.Contains(strings.ToLower(name), plugin) {
			return strings.Replace(plugin, "kuberouter", "kube-router", 1)
		}
	}
	return ""
}

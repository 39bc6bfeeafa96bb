package components

import "github.com/nodetriage/nodetriage/knowledge/lazyregexp"

// elsewhere are parts of the names of pods that begin like agents of a network plugin but do not run on every node.
var elsewhere = []string{"operator", "autoscaler", "cleanup", "monitor", "test"}

// network are the plugins of the pod network. If the name of a CNI type or file matches several, the first one counts.
var network = []*Component{
	{
		Name: "calico", Role: Network, Called: lazyregexp.New(`(?i)calico|felix|\bbird(?:cl)?\b`),
		Agents: []string{"calico-node"}, Pods: []string{"calico-", "tigera-operator"}, Containers: []string{"calico-node"},
		Namespaces: []string{"calico-system", "tigera-operator"}, Reserved: []string{"calico-", "tigera-"},
		Programs: []string{"calico", "bird", "felix", "confd", "tigera-operator", "install-cni"},
		Topic:    `calico|felix|bird\b`,
		Errors:   lazyregexp.New(`error getting ClusterInformation|/var/lib/calico/nodename`),
		Units:    []string{"calico-node"}, Logs: []string{"/var/log/calico/cni/cni.log"},
		CNI: []string{"calico"}, Types: []Type{{Name: "calico", Modules: []string{"veth"}}},
		Images: []string{"calico/node", "calico-node"},
		Chains: []string{"cali-"}, Tables: []string{"calico"},
		Tunnels: map[string]int{"vxlan.calico": 50, "tunl0": 20, "wireguard.cali": 60},
	},
	{ // Calico's policy on flannel's network
		Name: "canal", Role: Network, Called: lazyregexp.New(`(?i)\bcanal\b`),
		Agents: []string{"canal"}, Programs: []string{"canal"}, CNI: []string{"canal"}, With: []string{"calico", "flannel"},
	},
	{
		Name: "cilium", Role: Network, Called: lazyregexp.New(`(?i)cilium|anetd`),
		Agents: []string{"cilium-", "anetd"}, Pods: []string{"cilium"}, NotAgents: []string{"-envoy", "-relay"}, Containers: []string{"cilium-agent"},
		Namespaces: []string{"cilium", "cilium-system"}, Reserved: []string{"cilium"},
		Programs: []string{"cilium"}, Topic: `cilium`,
		Errors: lazyregexp.New(`unable to connect to Cilium daemon`),
		CNI:    []string{"cilium"}, Types: []Type{{Name: "cilium-cni", Modules: []string{"vxlan", "veth"}}},
		Sockets: []Socket{{"/run/cilium/cilium.sock", []string{"cilium-cni"}}},
		Images:  []string{"cilium/cilium", "mirrored-cilium-cilium"}, Taints: []string{"node.cilium.io/agent-not-ready"},
		Chains: []string{"CILIUM_"}, Tables: []string{"cilium"},
	},
	{
		Name: "flannel", Role: Network, Called: lazyregexp.New(`(?i)flannel`),
		Agents: []string{"kube-flannel", "flannel-"}, Containers: []string{"kube-flannel"},
		Namespaces: []string{"kube-flannel"},
		Programs:   []string{"flannel", "kube-flannel", "install-cni"}, Topic: `flannel`,
		Errors: lazyregexp.New(`/run/flannel/subnet\.env`),
		Units:  []string{"flanneld"},
		CNI:    []string{"flannel"},
		Types:  []Type{{Name: "flannel", Modules: []string{"vxlan", "bridge", "veth", "br_netfilter"}, Sysctls: map[string]string{"net.bridge.bridge-nf-call-iptables": "1"}}},
		Chains: []string{"FLANNEL"}, Tunnels: map[string]int{"flannel.1": 50, "flannel-wg": 60},
	},
	{
		Name: "weave", Role: Network, Called: lazyregexp.New(`(?i)\bweave(?:[-_ :/"']|$)`),
		Agents: []string{"weave-net"}, Pods: []string{"weave-"}, Containers: []string{"weave"},
		Programs: []string{"weave"}, Topic: `\bweave`,
		Errors: lazyregexp.New(`127\.0\.0\.1:6784`),
		CNI:    []string{"weave"}, Types: []Type{{Name: "weave-net", Modules: []string{"vxlan", "veth", "br_netfilter"}}},
		Chains: []string{"WEAVE"},
	},
	{
		Name: "antrea", Role: Network, Called: lazyregexp.New(`(?i)antrea`),
		Agents: []string{"antrea-agent"}, Pods: []string{"antrea-"}, Containers: []string{"antrea-agent"},
		Programs: []string{"antrea"}, Topic: `antrea`,
		CNI: []string{"antrea"}, Types: []Type{{Name: "antrea", Modules: []string{"openvswitch"}}},
		Sockets: []Socket{{"/run/antrea/cni.sock", []string{"antrea"}}},
		Chains:  []string{"ANTREA-"},
	},
	{
		Name: "kube-router", Role: Network, Called: lazyregexp.New(`(?i)kube-router`),
		Agents: []string{"kube-router"}, Containers: []string{"kube-router"},
		Programs: []string{"kube-router"}, Topic: `kube-router`,
		CNI: []string{"kube-router", "kuberouter"}, Types: []Type{{Name: "kube-router", Modules: []string{"veth", "ipip"}}},
		Chains: []string{"KUBE-ROUTER", "KUBE-NWPLCY", "KUBE-POD-FW"},
	},
	{ // calls other plugins
		Name: "multus", Role: Network, Called: lazyregexp.New(`(?i)multus`),
		Agents: []string{"kube-multus", "multus-"}, Containers: []string{"kube-multus"},
		Namespaces: []string{"openshift-multus"},
		Programs:   []string{"multus", "kube-multus", "whereabouts"}, Topic: `multus|net-attach-def`,
		CNI: []string{"multus"}, With: []string{"*"}, Chained: true,
		Sockets: []Socket{{"/run/multus/multus.sock", []string{"multus", "multus-shim", "multus-cni"}}},
	},
	{
		Name: "kindnet", Role: Network, Called: lazyregexp.New(`(?i)kindnet`),
		Agents: []string{"kindnet"}, Containers: []string{"kindnet-cni"},
		Programs: []string{"kindnet"}, CNI: []string{"kindnet"}, Tables: []string{"kindnet-network-policies"},
	},
	{
		Name: "azure", Role: Network, Called: lazyregexp.New(`(?i)azure-(?:vnet|cns|cni)`),
		Agents: []string{"azure-cns", "azure-cni"}, Reserved: []string{"aks-"},
		Programs: []string{"azure-cns", "azure-vnet", "azure-cni"}, Topic: `azure-vnet|azure-cns`,
		Logs: []string{"/var/log/azure-vnet.log"},
		CNI:  []string{"azure"}, Types: []Type{{Name: "azure-vnet", Modules: []string{"veth"}}, {Name: "azure-vnet-ipam"}}, Chained: true,
		Sockets: []Socket{{"/run/azure-vnet.sock", nil}},
	},
	{
		Name: "aws-vpc-cni", Role: Network, Called: lazyregexp.New(`(?i)aws-node(?:[^-]|-[a-z0-9]{5}\b|$)|vpc-cni|\bipamd\b|aws-routed-eni`),
		Agents: []string{"aws-node"}, NotAgents: []string{"termination-handler"}, Containers: []string{"aws-node"},
		Programs: []string{"aws-node", "aws-k8s-agent", "ipamd", "aws-vpc-cni"}, Topic: `ipamd|aws-node`,
		Logs: []string{"/var/log/aws-routed-eni/ipamd.log", "/var/log/aws-routed-eni/plugin.log"},
		CNI:  []string{"aws"}, Chained: true,
		Sockets: []Socket{{"/var/run/aws-node/ipam.sock", []string{"aws-cni"}}},
		Chains:  []string{"AWS-"},
	},
	{
		Name: "kube-ovn", Role: Network, Called: lazyregexp.New(`(?i)kube-?ovn`),
		Agents: []string{"kube-ovn-cni"}, Pods: []string{"kube-ovn-"},
		Programs: []string{"kube-ovn"}, Topic: `kube-ovn`, With: []string{"ovn-kubernetes"}, Taints: []string{"node.kube-ovn.io/not-ready"},
	},
	{
		Name: "ovn-kubernetes", Role: Network, Called: lazyregexp.New(`(?i)\bovnkube|ovn-k8s|openshift-ovn|ovn-kubernetes`),
		Agents: []string{"ovnkube-node"}, Pods: []string{"ovnkube-"}, Containers: []string{"ovnkube-node"},
		Namespaces: []string{"openshift-ovn-kubernetes"},
		Programs:   []string{"ovn", "ovs"}, Topic: `ovs-|ovsdb|openvswitch|\bovn`,
		Types:   []Type{{Name: "ovn-k8s-cni", Modules: []string{"openvswitch", "geneve"}}},
		Sockets: []Socket{{"/run/openvswitch/db.sock", nil}},
		Chains:  []string{"OVN-KUBE"},
	},
	{
		Name: "openshift-sdn", Role: Network, Called: lazyregexp.New(`(?i)openshift-sdn`),
		Agents: []string{"sdn-"}, Namespaces: []string{"openshift-sdn"}, Programs: []string{"sdn"},
	},
	{ // of Google: next to Calico, Cilium or the plugin of the node image
		Name: "gke", Role: Network,
		Agents: []string{"netd-"}, Namespaces: []string{"gke-managed-system", "gmp-system"}, Reserved: []string{"gke-", "gmp-"},
		Programs: []string{"netd"}, With: []string{"*"},
	},
	{Name: "spiderpool", Role: Network, Programs: []string{"spiderpool"}, Topic: `spiderpool`},
	{Name: "terway", Role: Network, Programs: []string{"terway"}},
	{Name: "kube-vip", Role: Network, Programs: []string{"kube-vip", "keepalived"}},
	{Name: "metallb", Role: Network, Programs: []string{"metallb"}},
	{ // the reference plugins, which others call
		Name: "cni", Role: Network,
		Topic: `\bcni\b|/etc/cni|/opt/cni`, Chains: []string{"CNI-"},
		Types: []Type{
			{Name: "bridge", Modules: []string{"bridge", "veth", "br_netfilter"}, Sysctls: map[string]string{"net.bridge.bridge-nf-call-iptables": "1"}},
			{Name: "ptp", Modules: []string{"veth"}},
			{Name: "ipvlan", Modules: []string{"ipvlan"}},
			{Name: "macvlan", Modules: []string{"macvlan"}},
		},
	},
}

// Package components describes the components of a node and its cluster: network plugins, container runtimes, storage drivers,
// device plugins, kubelets and distributions, kube-proxy, DNS and the control plane. Each component is one entry in the file of
// its role. A new component is a new entry. Readers and rules call the functions of this package.
package components

import (
	"cmp"
	"slices"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// Component is one entry. An empty field means unknown.
type Component struct {
	Name string // in reports and between entries: "calico"
	Role Role

	// Agents are the prefixes of the names of its pods that run on each node. Pods are those of its other pods. NotAgents are
	// parts of the names of pods that begin like agents but run elsewhere.
	Agents, Pods, NotAgents []string
	// Containers are the names of its essential containers.
	Containers []string
	// Namespaces contain its pods that nodes need. Reserved are prefixes of namespaces that its installers create. Only cluster
	// admins are expected to create such namespaces.
	Namespaces, Reserved []string

	// Programs are the prefixes, in lower case, of the names under which it writes logs and reports events. The names of its
	// agents and containers count too.
	Programs []string
	// Speaker is the speaker of its lines in package logline, if it is not that of its role.
	Speaker string
	// Called matches texts that name the component. Commands for another component of its role do not fit them.
	Called *lazyregexp.Regexp
	// Topic is a case-insensitive expression of names. A line with such a name is about it.
	Topic string
	// Errors matches errors that occur only on nodes with its network.
	Errors *lazyregexp.Regexp

	// Processes are the names of its programs on a node. Shims are those that run once per container or pod.
	Processes, Shims []string
	// Units are the names of its systemd units, without ".service".
	Units []string
	// RunsRuntime reports whether its units also run the container runtime.
	RunsRuntime bool
	// Reported is its name in a node's containerRuntimeVersion.
	Reported string
	// CRI are its sockets for the kubelet. RuntimeConfigs are the configuration files of a runtime.
	CRI, RuntimeConfigs []string
	// Stores are the folders of a runtime with images and containers.
	Stores []string
	// Logs are files outside the journal.
	Logs []string

	// CNI are parts of the names of its CNI types and of its files of CNI configuration.
	CNI []string
	// Types are its CNI plugins by their exact types.
	Types []Type
	// Sockets are the sockets of its agent.
	Sockets []Socket
	// With are plugins that it calls, or that run next to it in one network; "*" means any.
	With []string
	// Chained: it adds CNI configuration next to that of another plugin on purpose.
	Chained bool
	// Images are the ends of its agent's image names, without registry and tag.
	Images []string
	// Taints keep pods away from a node until its agent runs there.
	Taints []string
	// Chains are prefixes of its iptables chains. Those of a network plugin in FORWARD accept packets of pods. Tables are its nftables tables.
	Chains, Tables []string
	// Tunnels are its interfaces with the overhead of each for an IPv4 packet, in bytes. An agent that keeps a large MTU on
	// purpose and limits packets elsewhere, like Cilium and Open vSwitch, has none here.
	Tunnels map[string]int
}

// Type is a CNI plugin and the kernel features that it needs. Modules that the kernel loads at the first use are listed too,
// because they must exist.
type Type struct {
	Name    string
	Modules []string
	Sysctls map[string]string
}

// Socket is the socket of an agent. AskedBy are the CNI types that connect to it. If empty, no failure without it is known.
type Socket struct {
	Path    string
	AskedBy []string
}

// Role is the role of a component in a node or its cluster.
type Role string

// Roles. Each has a file or a part of one.
const (
	Network      Role = "network plugin"
	Runtime      Role = "container runtime"
	LowRuntime   Role = "OCI runtime" // starts the process of a container for a container runtime
	Storage      Role = "storage driver"
	Device       Role = "device plugin"
	Kubelet      Role = "kubelet"
	Distribution Role = "distribution" // programs that contain a kubelet and more
	Proxy        Role = "service proxy"
	DNS          Role = "DNS"
	ControlPlane Role = "control plane"
	Datastore    Role = "datastore"
)

// ofRole lists the defaults of all components of a role: the speaker of their lines, and the causes if they are not running or
// restart repeatedly.
var ofRole = map[Role]struct{ speaker, stopped, looping string }{
	Network:      {"network-agent", "cni-agent-crash", "cni-agent-crash"},
	Runtime:      {"", "runtime-down", "runtime-down"},
	LowRuntime:   {"runc", "", ""},
	Storage:      {"csi-driver", "", ""},
	Device:       {"device-plugin", "", ""},
	Kubelet:      {"kubelet", "kubelet-stopped", "kubelet-crash-looping"},
	Distribution: {"distribution", "kubelet-stopped", "kubelet-crash-looping"},
	Proxy:        {"kube-proxy", "kube-proxy-failing", "kube-proxy-failing"},
	DNS:          {"coredns", "", ""},
	ControlPlane: {"", "control-plane-degraded", "control-plane-degraded"},
	Datastore:    {"etcd", "etcd-unavailable", "etcd-unavailable"},
}

// all lists the entries in order of importance. If a name matches two, the first one counts.
var all = slices.Concat(kubernetes, runtimes, network, storage, devices, distributions)

// All returns the entries. They must not be changed.
func All() []*Component { return all }

// SpokenBy returns the speaker of its lines.
func (c *Component) SpokenBy() string { return cmp.Or(c.Speaker, ofRole[c.Role].speaker) }

// Stopped returns the cause if the component is not running, or "".
func (c *Component) Stopped() string { return ofRole[c.Role].stopped }

// Looping returns the cause if the component restarts repeatedly, or "".
func (c *Component) Looping() string { return ofRole[c.Role].looping }

// StartsPods reports whether no pod starts on a node without the component: kubelets and container runtimes.
func (c *Component) StartsPods() bool {
	return c.Role == Kubelet || c.Role == Distribution || c.Role == Runtime
}

// HasRuntime reports whether its units run the container runtime.
func (c *Component) HasRuntime() bool { return c.Role == Runtime || c.RunsRuntime }

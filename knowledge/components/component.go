// Package components is what is known of the components of a node and its cluster: network plugins, container runtimes, storage
// drivers, device plugins, kubelets and distributions, kube-proxy, DNS and the control plane. Each component is one entry of the
// file of its role. A new component is a new entry; readers and rules ask the functions of this package.
package components

import (
	"cmp"
	"slices"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// Component is one entry. An empty field means that nothing of the kind is known.
type Component struct {
	Name string // in reports and between entries: "calico"
	Role Role

	// Agents are the beginnings of the names of the pods that it runs one of on each node, Pods those of its other pods. NotAgents
	// are parts of the names of pods that begin as agents and run elsewhere.
	Agents, Pods, NotAgents []string
	// Containers are the names of the containers without which the node or the cluster lacks it.
	Containers []string
	// Namespaces hold its pods that nodes need. Reserved are beginnings of the names of namespaces that its installers create: only
	// cluster admins are expected to create such namespaces.
	Namespaces, Reserved []string

	// Programs are the beginnings of the names under which it writes logs and reports events, in lower case. The names of its agents
	// and containers count too.
	Programs []string
	// Speaker is who its lines belong to, as package logline names it, if not the speaker of its role.
	Speaker string
	// Topic is an expression, in any case, of names by which a line is about it.
	Topic string
	// Errors matches errors that only nodes with its network write.
	Errors *lazyregexp.Regexp

	// Processes are the names of its programs that run on a node, Shims those of which each container or pod has one.
	Processes, Shims []string
	// Units are the names of its services of systemd, without ".service".
	Units []string
	// RunsRuntime reports that its units run the container runtime, too.
	RunsRuntime bool
	// Reported is its name in a node's containerRuntimeVersion.
	Reported string
	// CRI are the sockets at which it answers the kubelet, RuntimeConfigs the files with the settings of a runtime.
	CRI, RuntimeConfigs []string
	// Logs are files outside the journal.
	Logs []string

	// CNI are parts of the names of its CNI types and of its files of CNI configuration.
	CNI []string
	// Types are its CNI plugins by their exact types.
	Types []Type
	// Sockets are where its agent answers.
	Sockets []Socket
	// With are plugins that it calls, or that run next to it in one network; "*" for any.
	With []string
	// Chained: it puts a file of CNI configuration next to that of another plugin on purpose.
	Chained bool
	// Images are the ends of the names of its agent's image, without registry and tag.
	Images []string
	// Chains are beginnings of the names of its chains of iptables, Tables the names of its tables of nftables.
	Chains, Tables []string
	// Tunnels are its interfaces with the bytes that each adds to a packet of IPv4. An agent that keeps a large MTU on purpose and
	// bounds the packets elsewhere, as Cilium's and Open vSwitch's, has none here.
	Tunnels map[string]int
}

// Type is a CNI plugin and what it needs of the kernel. Modules that the kernel loads when they are first used are listed, too: they
// must exist.
type Type struct {
	Name    string
	Modules []string
	Sysctls map[string]string
}

// Socket is where an agent answers. AskedBy are the CNI types that ask there; none: nothing is known to fail without it.
type Socket struct {
	Path    string
	AskedBy []string
}

// Role is what a component does for a node or its cluster.
type Role string

// The roles, each with a file or a part of one.
const (
	Network      Role = "network plugin"
	Runtime      Role = "container runtime"
	LowRuntime   Role = "OCI runtime" // starts the process of a container, and is asked by a container runtime
	Storage      Role = "storage driver"
	Device       Role = "device plugin"
	Kubelet      Role = "kubelet"
	Distribution Role = "distribution" // programs that hold a kubelet and more
	Proxy        Role = "service proxy"
	DNS          Role = "DNS"
	ControlPlane Role = "control plane"
	Datastore    Role = "datastore"
)

// ofRole is what holds for all components of a role: who their lines belong to, and the causes that they stand for when they do not
// run and when they start again and again.
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

// all are the entries in the order in which people think of a node. Where a name fits two, the first one counts.
var all = slices.Concat(kubernetes, runtimes, network, storage, devices, distributions)

// All returns the entries. Nobody may change them.
func All() []*Component { return all }

// SpokenBy returns the speaker of its lines.
func (c *Component) SpokenBy() string { return cmp.Or(c.Speaker, ofRole[c.Role].speaker) }

// Stopped returns the cause that it stands for when it does not run, or "".
func (c *Component) Stopped() string { return ofRole[c.Role].stopped }

// Looping returns the cause that it stands for when it starts again and again, or "".
func (c *Component) Looping() string { return ofRole[c.Role].looping }

// StartsPods reports whether no pod starts on a node on which it is stopped: kubelets and container runtimes.
func (c *Component) StartsPods() bool {
	return c.Role == Kubelet || c.Role == Distribution || c.Role == Runtime
}

// HasRuntime reports whether its units run the container runtime.
func (c *Component) HasRuntime() bool { return c.Role == Runtime || c.RunsRuntime }

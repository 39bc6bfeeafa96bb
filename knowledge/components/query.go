package components

import (
	"path"
	"slices"
	"strings"
	"sync"
)

// first returns the first matching entry of the table, or nil.
func first(fits func(c *Component) bool) *Component {
	if i := slices.IndexFunc(all, fits); i >= 0 {
		return all[i]
	}
	return nil
}

// every returns a field of all entries, each value once.
func every(field func(c *Component) []string) []string {
	var out []string
	for _, c := range all {
		for _, v := range field(c) {
			if !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
	}
	return out
}

func begins(name string, heads []string) bool {
	for _, head := range heads {
		if strings.HasPrefix(name, head) {
			return true
		}
	}
	return false
}

func contains(name string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(name, part) })
}

// Named returns the component of that name, or nil.
func Named(name string) *Component {
	return first(func(c *Component) bool { return c.Name == name })
}

// NetworkAgent returns the network plugin that a pod is the agent of, by the pod's name, or nil.
func NetworkAgent(pod string) *Component {
	for _, c := range agents() {
		if begins(pod, c.Agents) && !contains(pod, c.NotAgents) && !contains(pod, elsewhere) {
			return c
		}
	}
	return nil
}

// agents are the network plugins with an agent. They are cached, because rules check each pod.
var agents = sync.OnceValue(func() []*Component {
	var out []*Component
	for _, c := range all {
		if c.Role == Network && len(c.Agents) > 0 {
			out = append(out, c)
		}
	}
	return out
})

// OfNetwork reports whether a pod belongs to a network plugin, as agent, controller or operator.
func OfNetwork(pod string) bool {
	return first(func(c *Component) bool { return c.Role == Network && (begins(pod, c.Agents) || begins(pod, c.Pods)) }) != nil
}

// OfCNI returns the network plugin of a CNI type or CNI configuration file, or nil if many use it.
func OfCNI(name string) *Component {
	name = strings.ToLower(name)
	return first(func(c *Component) bool { return contains(name, c.CNI) })
}

// Serves reports whether agents of the running plugins serve another plugin's CNI configuration: their own, or one next to
// them.
func Serves(plugin string, running map[string]bool) bool {
	return first(func(c *Component) bool {
		return running[c.Name] && (c.Name == plugin || slices.Contains(c.With, plugin) || slices.Contains(c.With, "*"))
	}) != nil
}

// OfUnit returns the component of a systemd unit, with or without ".service", or nil.
func OfUnit(unit string) *Component {
	unit = strings.TrimSuffix(unit, ".service")
	return first(func(c *Component) bool { return slices.Contains(c.Units, unit) })
}

// BeginsAsUnit reports whether the name of a unit begins like a unit of a component.
func BeginsAsUnit(unit string) bool {
	return first(func(c *Component) bool { return begins(unit, c.Units) }) != nil
}

// PodStarters returns the systemd units that start pods on a node, those of kubelets first.
func PodStarters() []string {
	return every(func(c *Component) []string {
		if !c.StartsPods() {
			return nil
		}
		return c.Units
	})
}

// Units returns the units of all other components.
func Units() []string {
	return every(func(c *Component) []string {
		if c.StartsPods() {
			return nil
		}
		return c.Units
	})
}

// OfTool returns the distribution that includes kubectl, crictl and ctr as subcommands, by the name of its program, or nil.
func OfTool(program string) *Component {
	if c := OfProcess(program); c != nil && c.Role == Distribution {
		return c
	}
	return nil
}

// OfProcess returns the component of a running program, by the name of its file, or nil.
func OfProcess(program string) *Component {
	return first(func(c *Component) bool { return slices.Contains(c.Processes, program) })
}

// IsShim reports whether a runtime starts the program once for each container or pod.
func IsShim(program string) bool {
	return first(func(c *Component) bool { return begins(program, c.Shims) }) != nil
}

// NodePrograms returns the programs that start pods and their containers, with the shims.
func NodePrograms() []string {
	return every(func(c *Component) []string {
		switch {
		case c.StartsPods():
			return slices.Concat(c.Processes, c.Shims)
		case c.Role == LowRuntime: // none of its processes keeps running
			return []string{c.Name}
		}
		return nil
	})
}

// OfContainer returns the component whose essential container has that name, or nil.
func OfContainer(name string) *Component {
	return first(func(c *Component) bool { return slices.Contains(c.Containers, name) })
}

// ControlPlanePods returns the control plane components that kubelets run as static pods with the component's name.
func ControlPlanePods() []*Component {
	var out []*Component
	for _, c := range all {
		if (c.Role == ControlPlane || c.Role == Datastore) && slices.Contains(c.Containers, c.Name) {
			out = append(out, c)
		}
	}
	return out
}

// OfVersion returns the runtime that a node reports as containerRuntimeVersion ("containerd://2.0.1"), or nil.
func OfVersion(version string) *Component {
	name, _, _ := strings.Cut(version, "://")
	return first(func(c *Component) bool { return c.Reported != "" && c.Reported == name })
}

// OfImage returns the network plugin whose agent an image is, by the image's name without its tag, or nil.
func OfImage(image string) *Component {
	return first(func(c *Component) bool {
		return slices.ContainsFunc(c.Images, func(end string) bool {
			head, found := strings.CutSuffix(image, end)
			return found && (head == "" || strings.HasSuffix(head, "/") || strings.HasSuffix(head, "-"))
		})
	})
}

// Holds reports whether the namespace contains pods of a component that nodes need.
func Holds(namespace string) bool { return slices.Contains(held(), namespace) }

// held and reserved are cached, because readers check each line of a pod.
var (
	held     = sync.OnceValue(func() []string { return every(func(c *Component) []string { return c.Namespaces }) })
	reserved = sync.OnceValue(func() []string { return every(func(c *Component) []string { return c.Reserved }) })
)

// HoldsForAll is Holds without the components that only some pods need: a node works without its devices.
func HoldsForAll(namespace string) bool {
	return first(func(c *Component) bool { return c.Role != Device && slices.Contains(c.Namespaces, namespace) }) != nil
}

// Reserves reports whether a component or its installer uses the namespace.
func Reserves(namespace string) bool {
	return Holds(namespace) || begins(namespace, reserved())
}

// OfRules returns the component of packet rules, by their nftables table or their chain, or nil. The longest prefix of a
// chain's name counts.
func OfRules(table, chain string) *Component {
	if c := first(func(c *Component) bool { return slices.Contains(c.Tables, table) }); c != nil {
		return c
	}
	var owner *Component
	longest := 0
	for _, c := range all {
		for _, head := range c.Chains {
			if len(head) > longest && strings.HasPrefix(chain, head) {
				owner, longest = c, len(head)
			}
		}
	}
	return owner
}

// AsksAt reports whether a CNI plugin of that type connects to the socket.
func AsksAt(cniType, socket string) bool {
	return first(func(c *Component) bool {
		return slices.ContainsFunc(c.Sockets, func(s Socket) bool {
			return path.Base(s.Path) == path.Base(socket) && slices.Contains(s.AskedBy, cniType)
		})
	}) != nil
}

// AgentSockets returns the sockets of the agents of network plugins.
func AgentSockets() []string {
	return every(func(c *Component) []string {
		var out []string
		for _, s := range c.Sockets {
			out = append(out, s.Path)
		}
		return out
	})
}

// CNIType returns the entry of a CNI plugin by its type; false if unknown.
func CNIType(name string) (Type, bool) {
	for _, c := range all {
		if i := slices.IndexFunc(c.Types, func(t Type) bool { return t.Name == name }); i >= 0 {
			return c.Types[i], true
		}
	}
	return Type{}, false
}

// Tunnel returns the overhead of a tunnel for an IPv4 packet in bytes, by the name of its interface. It returns false if no
// agent sets the MTU for that tunnel.
func Tunnel(link string) (bytes int, known bool) {
	for _, c := range all {
		if bytes, known = c.Tunnels[link]; known {
			return bytes, true
		}
	}
	return 0, false
}

// CRISockets returns the sockets of runtimes for the kubelet, the usual ones first.
func CRISockets() []string { return every(func(c *Component) []string { return c.CRI }) }

// RuntimeConfigs returns the configuration files of runtimes, the usual ones first.
func RuntimeConfigs() []string { return every(func(c *Component) []string { return c.RuntimeConfigs }) }

// Logs returns the files that components write outside the journal.
func Logs() []string { return every(func(c *Component) []string { return c.Logs }) }

// OfTaint returns the component that keeps pods away with a taint until its agent runs; nil: none.
func OfTaint(key string) *Component {
	return first(func(c *Component) bool { return slices.Contains(c.Taints, key) })
}

// Speakers returns the speaker of each name under which components write, by the prefix of the name.
func Speakers() map[string]string {
	out := map[string]string{}
	for _, c := range all {
		for _, names := range [][]string{c.Programs, c.Containers, c.Agents} {
			for _, name := range names {
				if out[name] == "" {
					out[name] = c.SpokenBy()
				}
			}
		}
	}
	return out
}

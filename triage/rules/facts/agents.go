package facts

import "github.com/nodetriage/nodetriage/knowledge/components"

// NetworkAgent returns the plugin of a network agent by the pod's name, or "".
func NetworkAgent(pod string) string { return nameOf(components.NetworkAgent(pod)) }

// PluginOf returns the network plugin that a name of a CNI type or file belongs to, or "" for those that many use.
func PluginOf(name string) string { return nameOf(components.OfCNI(name)) }

func nameOf(c *components.Component) string {
	if c == nil {
		return ""
	}
	return c.Name
}

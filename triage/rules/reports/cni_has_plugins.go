package reports

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// hasPlugins reports whether every plugin that the network calls is present.
func hasPlugins(c *nodereport.CNI) bool {
	return c.Network != nil && c.Network.Error == "" && len(c.Network.Plugins) > 0 &&
		!slices.ContainsFunc(c.Network.Plugins, func(p nodereport.Plugin) bool { return p.State != "ok" })
}

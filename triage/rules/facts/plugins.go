package facts

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// LacksPlugin reports whether the report lists a network plugin that is missing or unusable.
func LacksPlugin(c *nodereport.CNI) bool {
	return c.Network != nil && slices.ContainsFunc(c.Network.Plugins, func(p nodereport.Plugin) bool {
		return p.State == "missing" || p.State == "not-executable" || p.State == "empty"
	})
}

package endings

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// pluginNotFound matches the error for a network plugin that is in none of the searched folders (containernetworking/cni
// pkg/invoke/find.go, v1.3).
var pluginNotFound = lazyregexp.New(`failed to find plugin \\*"([^"\\]{1,100})\\*" in path \[([^\]]{1,300})\]`)

// missedPlugin returns the plugin that a message reports missing and the searched folders; "": none.
func missedPlugin(f *triage.Failure) (name string, folders []string) {
	found := pluginNotFound.FindStringSubmatch(timeline.LastText(f.Match))
	if found == nil {
		return "", nil
	}
	return found[1], strings.Fields(found[2])
}

// hasPlugin reports whether a node has the plugin in the folder of its runtime, and all other plugins that it needs.
func hasPlugin(c *nodereport.CNI, plugin string) bool {
	return slices.Contains(c.Binaries, plugin) && !facts.LacksPlugin(c)
}

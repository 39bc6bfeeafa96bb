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

// pluginNotFound is what says that a network plugin is in none of some folders (containernetworking/cni pkg/invoke/find.go, v1.3).
var pluginNotFound = lazyregexp.New(`failed to find plugin \\*"([^"\\]{1,100})\\*" in path \[([^\]]{1,300})\]`)

// missedPlugin is the plugin that a message misses, and the folders in which it was searched; "": it misses none.
func missedPlugin(f *triage.Failure) (name string, folders []string) {
	found := pluginNotFound.FindStringSubmatch(timeline.LastText(f.Match))
	if found == nil {
		return "", nil
	}
	return found[1], strings.Fields(found[2])
}

// hasPlugin reports whether a node has the plugin in the folder in which its runtime searches, and all others that it needs.
func hasPlugin(c *nodereport.CNI, plugin string) bool {
	return slices.Contains(c.Binaries, plugin) && !facts.LacksPlugin(c)
}

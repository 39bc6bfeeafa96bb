package endings

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// PluginNamedNoMore resolves a missing network plugin if the network configuration no longer names the called plugin and has all
// those that it names. The node report must be late enough that the message would have come again. A plugin that calls others may
// still need the missing one, and a runtime always calls loopback.
var PluginNamedNoMore = &triage.Ending{
	ID:     "plugin-named-no-more",
	Doc:    "The CNI configuration no longer refers to the plugin, and all plugins that it refers to exist.",
	OfNode: true, Dated: true,
	Reads: []evidence.Kind{evidence.NodeReports, evidence.Pods},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		missed, _ := missedPlugin(f)
		called := pluginCalled.FindStringSubmatch(timeline.LastText(f.Match))
		if missed == "" || called == nil || called[1] == "loopback" {
			return triage.End{}, false
		}
		for _, r := range p.Snapshot.Reports(f.Node) {
			if r.TakenAt.Sub(f.Last) > timeline.Again(f.Match) && namesOthers(r.CNI, called[1]) {
				return triage.End{By: r.CNI.Network.File + " no longer refers to plugin " + called[1], At: r.TakenAt}, true
			}
		}
		return triage.End{}, false
	},
}

// pluginCalled matches the name of the failed plugin in errors of the CNI library (containernetworking/cni libcni/api.go, v1.3).
var pluginCalled = lazyregexp.New(`plugin type=\\*"([^"\\]{1,100})\\*"`)

// namesOthers reports whether a node's network configuration is complete and does not name the plugin.
func namesOthers(c *nodereport.CNI, plugin string) bool {
	if c == nil || c.Network == nil || facts.LacksPlugin(c) {
		return false
	}
	named := slices.ContainsFunc(c.Network.Plugins, func(n nodereport.Plugin) bool { return n.Type == plugin })
	return len(c.Network.Plugins) > 0 && c.Network.Error == "" && !named
}

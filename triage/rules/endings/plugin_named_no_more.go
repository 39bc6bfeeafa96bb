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

// PluginNamedNoMore ends the search for a network plugin where a report of the node, made so much later that it would have been missed
// again, shows that the configuration of the network does not name the plugin that was called, and that those it names are there. A
// plugin that calls others may still want what it did not find, and a runtime calls loopback by itself.
var PluginNamedNoMore = &triage.Ending{
	ID:     "plugin-named-no-more",
	Doc:    "The network's configuration does not name the plugin any more, and has those that it names.",
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
				return triage.End{By: r.CNI.Network.File + " does not name plugin " + called[1], At: r.TakenAt}, true
			}
		}
		return triage.End{}, false
	},
}

// pluginCalled is how the library that calls plugins names the one that failed (containernetworking/cni libcni/api.go, v1.3).
var pluginCalled = lazyregexp.New(`plugin type=\\*"([^"\\]{1,100})\\*"`)

// namesOthers reports whether a node's network is configured without the plugin, and complete.
func namesOthers(c *nodereport.CNI, plugin string) bool {
	if c == nil || c.Network == nil || facts.LacksPlugin(c) {
		return false
	}
	named := slices.ContainsFunc(c.Network.Plugins, func(n nodereport.Plugin) bool { return n.Type == plugin })
	return len(c.Network.Plugins) > 0 && c.Network.Error == "" && !named
}

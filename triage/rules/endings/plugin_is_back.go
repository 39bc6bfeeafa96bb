package endings

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// PluginIsBack resolves a missing network plugin if a later node report has it in the folder in which it was missing.
var PluginIsBack = &triage.Ending{
	ID:     "plugin-is-back",
	Doc:    "A later report of the node shows the missing CNI plugin in its folder.",
	OfNode: true, Dated: true,
	Reads: []evidence.Kind{evidence.NodeReports, evidence.Pods},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		plugin, folders := missedPlugin(f)
		if plugin == "" {
			return triage.End{}, false
		}
		for _, r := range p.Snapshot.Reports(f.Node) {
			c := r.CNI
			if c == nil || !r.TakenAt.After(f.Last) {
				continue
			}
			if slices.Contains(folders, c.BinDir) && hasPlugin(c, plugin) {
				return triage.End{By: "plugin " + plugin + " is in " + c.BinDir + " again", At: r.TakenAt}, true
			}
		}
		return triage.End{}, false
	},
}

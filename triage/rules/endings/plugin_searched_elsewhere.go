package endings

import (
	"fmt"
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// PluginSearchedElsewhere resolves a missing network plugin if the runtime was started since with another plugin folder that has
// it. The runtime has run long enough to report it missing again.
var PluginSearchedElsewhere = &triage.Ending{
	ID:     "plugin-searched-elsewhere",
	Doc:    "The runtime was restarted after the message and now finds the CNI plugin in another folder.",
	OfNode: true, Dated: true,
	Reads: []evidence.Kind{evidence.NodeReports, evidence.Pods},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		plugin, folders := missedPlugin(f)
		if plugin == "" {
			return triage.End{}, false
		}
		for _, r := range p.Snapshot.Reports(f.Node) {
			c := r.CNI
			if c == nil || slices.Contains(folders, c.BinDir) || !hasPlugin(c, plugin) {
				continue
			}
			if u := runtimeSince(r, f); u != nil {
				return triage.End{By: fmt.Sprintf("%s has been running since %s and finds plugin %s in %s", u.Name, timeline.Stamp(u.Since), plugin, c.BinDir), At: u.Since}, true
			}
		}
		return triage.End{}, false
	},
}

// runtimeSince returns the unit of the runtime if it was started after the failure and stayed up, or nil.
func runtimeSince(r *nodereport.Report, f *triage.Failure) *nodereport.Unit {
	i := slices.IndexFunc(r.Units, func(u nodereport.Unit) bool {
		c := components.OfUnit(u.Name)
		ofRuntime := c != nil && c.HasRuntime()
		return ofRuntime && startedSince(u, f) && r.TakenAt.Sub(u.Since) > timeline.StableAfter
	})
	if i < 0 {
		return nil
	}
	return &r.Units[i]
}

// startedSince reports whether a unit was started after the failure and is active.
func startedSince(u nodereport.Unit, f *triage.Failure) bool {
	return u.Active == "active" && u.Since.After(f.Last)
}

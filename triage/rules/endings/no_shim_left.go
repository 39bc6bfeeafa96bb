package endings

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// NoShimLeft resolves leaked shims if a later node report has no more shims than sandboxes.
var NoShimLeft = &triage.Ending{
	ID:     "no-shim-left",
	Doc:    "A later report of the node shows no more containerd shims than sandboxes.",
	Ends:   []string{"shim-end"},
	OfNode: true, Dated: true,
	Reads: []evidence.Kind{evidence.NodeReports},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		for _, r := range p.Snapshot.Reports(f.Node) {
			rt := r.Runtime
			if rt == nil || rt.Shims == nil || rt.Sandboxes == nil {
				continue
			}
			if r.TakenAt.After(f.Last) && *rt.Shims <= len(rt.Sandboxes) {
				return triage.End{By: wording.Count(*rt.Shims, "shim") + " for " + wording.Count(len(rt.Sandboxes), "sandbox"), At: r.TakenAt}, true
			}
		}
		return triage.End{}, false
	},
}

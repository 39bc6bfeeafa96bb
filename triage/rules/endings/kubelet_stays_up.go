package endings

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// KubeletStaysUp resolves crashes of a kubelet that has been running for much longer than before, or that was stopped, so that
// systemd does not restart it.
var KubeletStaysUp = &triage.Ending{
	ID:     "kubelet-stays-up",
	Doc:    "The kubelet that kept restarting has been running for much longer than before, or was stopped.",
	Ends:   []string{"kubelet-run"},
	OfNode: true, Dated: true,
	Reads: []evidence.Kind{evidence.NodeReports},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		u, _ := unitOf(p, f, func(u nodereport.Unit, r *nodereport.Report) bool {
			_, looping := facts.SaidByUnit(u.Name)
			stopped := u.Active == "inactive" && u.Restarts == 0
			stays := u.Active == "active" && r.TakenAt.Sub(u.Since) > timeline.Again(f.Match)
			return looping == f.Says && (stopped || stays)
		})
		if u == nil {
			return triage.End{}, false
		}
		return triage.End{By: fmt.Sprintf("%s has been %s since %s", u.Name, u.Active, timeline.Stamp(u.Since)), At: u.Since}, true
	},
}

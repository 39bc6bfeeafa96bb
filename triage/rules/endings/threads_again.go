package endings

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
	"github.com/nodetriage/nodetriage/wording"
)

// ThreadsAgain resolves a shortage of threads and processes if the affected unit was started since, and neither it nor the node is
// near a limit.
var ThreadsAgain = &triage.Ending{
	ID:     "threads-again",
	Doc:    "The unit that could not create threads was restarted later, and neither the unit nor its node is near a limit.",
	Ends:   []string{"processes"},
	OfNode: true, Dated: true,
	Reads: []evidence.Kind{evidence.NodeReports},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		name := string(f.Speaker) + ".service"
		u, r := unitOf(p, f, func(u nodereport.Unit, r *nodereport.Report) bool {
			stays := u.Name == name && u.Active == "active" && r.TakenAt.Sub(u.Since) > timeline.StableAfter
			return stays && hasThreads(r, u)
		})
		if u == nil {
			return triage.End{}, false
		}
		return triage.End{By: fmt.Sprintf("%s has been running since %s with %s; the node has %d of at most %d", u.Name, timeline.Stamp(u.Since), wording.Count(u.Tasks, "thread"), r.Tasks.Current, r.Tasks.Max), At: u.Since}, true
	},
}

// hasThreads reports whether both a unit and its node can create threads.
func hasThreads(r *nodereport.Report, u nodereport.Unit) bool {
	if r.Tasks == nil || u.Tasks == 0 {
		return false
	}
	return !scarce(r.Tasks.Current, r.Tasks.Max) && !scarce(u.Tasks, u.TasksMax)
}

// scarce reports whether more than 80 % of the limit is in use; 0 means no limit.
func scarce(used, most int) bool { return most > 0 && used*5 > most*4 }

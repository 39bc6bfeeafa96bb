package endings

import (
	"time"

	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
	"github.com/nodetriage/nodetriage/wording"
)

// PeriodicNotAgain resolves a periodic message that a kubelet skipped twice while it renewed its lease.
var PeriodicNotAgain = &triage.Ending{
	ID:    "periodic-not-again",
	Doc:   "The kubelet reports it periodically, but not the last two times, and still renews its Lease.",
	Texts: logs, Dated: true, OfNode: true,
	Reads: objects,
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		n := readyBeside(p, f)
		if n == nil || !periodic(f) {
			return triage.End{}, false
		}
		period := time.Duration(f.Signature.Again)
		since, _ := p.Age(f.Last)
		l := p.Snapshot.NodeLease(n.Name)
		works := l != nil && timeline.CameLater(p.Snapshot, l.Renewed, f.Last.Add(period))
		return triage.End{By: "its kubelet has not reported it again for " + wording.Duration(since), At: f.Last}, works && since > 2*period
	},
}

package endings

import (
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// LeaseRenewed resolves problems that stop a kubelet from reporting, if the kubelet renewed its lease after the log line.
var LeaseRenewed = &triage.Ending{
	ID:    "lease-renewed",
	Doc:   "The kubelet renewed its Lease after the message, which is impossible during this problem.",
	Texts: logs, Dated: true, OfNode: true,
	Reads: objects,
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		n := readyBeside(p, f)
		if n == nil || periodic(f) || !facts.SilencesNode(p, f.Says) {
			return triage.End{}, false
		}
		margin := mechanics.RenewPeriod
		if momentary(p, f) { // one failed request: the next renewal succeeded
			margin = 0
		}
		l := p.Snapshot.NodeLease(n.Name)
		if l == nil || !timeline.CameLater(p.Snapshot, l.Renewed, f.Last.Add(margin)) {
			return triage.End{}, false
		}
		return triage.End{By: "its kubelet renewed the Lease at " + timeline.Stamp(l.Renewed), At: f.Last}, true
	},
}

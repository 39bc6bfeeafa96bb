package endings

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// KubeletsHeard resolves problems that keep kubelets from reaching the API server. All kubelets have reported since, and the
// message did not come again.
var KubeletsHeard = &triage.Ending{
	ID:    "kubelets-heard",
	Doc:   "All kubelets have reported to the API server since the message, and it did not recur.",
	Dated: true,
	Reads: []evidence.Kind{evidence.Nodes, evidence.Leases},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		if !facts.StopsLeases(p, f.Says) || f.Quiet <= timeline.Again(f.Match) {
			return triage.End{}, false
		}
		heard := heardOfAllSince(p, f.Last.Add(mechanics.RenewPeriod))
		return triage.End{By: "all kubelets have reported to the API server since " + timeline.Stamp(heard), At: heard}, !heard.IsZero()
	},
}

// heardOfAllSince returns the earliest last report of all nodes, if every node reported after t. Otherwise it returns zero.
func heardOfAllSince(p *triage.Pass, t time.Time) time.Time {
	var first time.Time
	for _, n := range p.Snapshot.Nodes() {
		ready := n.Condition(corev1.NodeReady)
		if n.Partial || ready == nil || n.Silent() { // a node that reports NotReady is still reporting
			return time.Time{}
		}
		heard := facts.HeardOf(p, n)
		if !timeline.CameLater(p.Snapshot, heard, t) {
			return time.Time{}
		}
		if first.IsZero() || heard.Before(first) {
			first = heard
		}
	}
	return first
}

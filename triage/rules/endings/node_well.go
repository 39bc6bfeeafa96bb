package endings

import (
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// NodeWell resolves a failed request that was not reported again on a healthy node. The node is Ready without pressure, its kubelet
// renewed the lease since, and every pod on it works or is new.
var NodeWell = &triage.Ending{
	ID:    "node-well",
	Doc:   "The node and all its pods are healthy, and the failed request was not reported again.",
	Texts: logs, Dated: true, OfNode: true,
	Reads: objects,
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		n := readyBeside(p, f)
		if n == nil || periodic(f) || !momentary(p, f) {
			return triage.End{}, false
		}
		quiet, known := p.Age(f.Last)
		pause := f.Last.Sub(f.First) / time.Duration(max(f.Count-1, 1))
		if !known || quiet < max(settledNode, 3*pause) || facts.Troubled(n) {
			return triage.End{}, false
		}
		lease := p.Snapshot.NodeLease(n.Name)
		beats, _ := facts.Beats(p, n.Name)
		renewed := beats == evidence.True && lease.Renewed.After(f.Last)
		return triage.End{By: "node " + n.Name + " is healthy, and the message did not recur for " + wording.Duration(quiet), At: f.Last}, renewed && podsWork(p, n)
	},
}

// settledNode is how long the log of a healthy node must continue without such a symptom. Kubelets retry sooner, except for images
// and volumes, whose pods do not work then.
const settledNode = 30 * time.Second

// podsWork reports whether every pod of a node works, is finished, is being deleted, or is new.
func podsWork(p *triage.Pass, n *evidence.Node) bool {
	return !slices.ContainsFunc(p.Snapshot.PodsOn(n.Name), func(pod *evidence.Pod) bool {
		age, dated := p.Age(pod.Created)
		fresh := dated && age < facts.QuickStart
		return !pod.Works() && !pod.Finished() && !pod.Deleting() && !fresh
	})
}

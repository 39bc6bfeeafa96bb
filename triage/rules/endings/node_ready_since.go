package endings

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// NodeReadySince resolves events of a node that became Ready after them.
var NodeReadySince = &triage.Ending{
	ID:    "node-ready-since",
	Doc:   "The node became Ready after the event.",
	Texts: events, Dated: true,
	Reads: []evidence.Kind{evidence.Nodes},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		n := ofNode(p, f)
		if n == nil || n.Ready() != evidence.True {
			return triage.End{}, false
		}
		ready := n.Condition(corev1.NodeReady).LastTransitionTime.UTC()
		return triage.End{By: "node " + n.Name + " has been Ready since " + timeline.Stamp(ready), At: ready}, timeline.CameLater(p.Snapshot, ready, f.Last.Add(-1))
	},
}

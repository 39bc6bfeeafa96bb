package endings

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// ReadySince resolves problems that make a node NotReady, if the node became Ready after the log line.
var ReadySince = &triage.Ending{
	ID:    "ready-since",
	Doc:   "The node became Ready after the message, which is impossible during this problem.",
	Texts: logs, Dated: true, OfNode: true,
	Reads: objects,
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		n := shownReady(p, f) // a table does not show since when
		if n == nil || periodic(f) || !facts.StopsNode(p, f.Says) {
			return triage.End{}, false
		}
		ready := n.Condition(corev1.NodeReady).LastTransitionTime.UTC()
		said := f.Last.Truncate(time.Second).Add(-1) // API times are whole seconds
		return triage.End{By: "node " + n.Name + " has been Ready since " + timeline.Stamp(ready), At: ready}, timeline.CameLater(p.Snapshot, ready, said)
	},
}

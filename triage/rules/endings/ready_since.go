package endings

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// ReadySince resolves problems that make a node NotReady, if the node became Ready after the log line, or its kubelet reported later
// that it still is. A table shows neither time.
var ReadySince = &triage.Ending{
	ID:    "ready-since",
	Doc:   "The node became Ready after the message, or its kubelet still reported Ready later, which is impossible during this problem.",
	Texts: logs, Dated: true, OfNode: true,
	Reads: objects,
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		n := shownReady(p, f)
		if n == nil || !facts.StopsNode(p, f.Says) {
			return triage.End{}, false
		}
		ready := n.Condition(corev1.NodeReady)
		said := f.Last.Truncate(time.Second).Add(-1) // API times are whole seconds
		if became := ready.LastTransitionTime.UTC(); timeline.CameLater(p.Snapshot, became, said) {
			return triage.End{By: "node " + n.Name + " has been Ready since " + timeline.Stamp(became), At: became}, true
		}
		// A kubelet reports NotReady at once, except that it waits for its runtime.
		reported := ready.LastHeartbeatTime.UTC()
		return triage.End{By: "the kubelet of " + n.Name + " reported Ready at " + timeline.Stamp(reported), At: reported},
			timeline.CameLater(p.Snapshot, reported, f.Last.Add(mechanics.RuntimeWait))
	},
}

package doubts

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// LongAgo doubts a log line about a pod that could not start, if the log continues for longer than the kubelet takes to retry. The
// node was not read, so whether it has worked since is unknown.
var LongAgo = &triage.Doubt{
	ID:     "long-ago",
	Doc:    "The pod failed to start long before the end of the log, on a node that was not read.",
	AtMost: triage.Likely,
	Reads:  []evidence.Kind{evidence.Nodes, evidence.Pods},
	Holds: func(p *triage.Pass, f *triage.Failure) bool {
		unread := f.Event == nil && p.Snapshot.Node(f.Node) == nil
		return unread && startsPod.MatchString(timeline.LastText(f.Match)) && f.Until.Sub(f.Last) > tryTakes
	},
}

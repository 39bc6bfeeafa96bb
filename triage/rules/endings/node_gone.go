package endings

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// NodeGone resolves events of a deleted node.
var NodeGone = &triage.Ending{
	ID:    "node-gone",
	Doc:   "All nodes were read, and the node of the event no longer exists.",
	Texts: events,
	Reads: []evidence.Kind{evidence.Nodes},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		gone := f.Subject.Kind == "Node" && ofNode(p, f) == nil && p.Snapshot.Covers(evidence.Nodes) == evidence.Complete
		return triage.End{By: "node " + f.Subject.Name + " no longer exists"}, gone
	},
}

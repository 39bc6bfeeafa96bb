package endings

import (
	"fmt"
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// removals are the event reasons with which an autoscaler announces that it removes a node (autoscaler cluster-autoscaler
// core/scaledown/actuation v1.34; karpenter pkg/controllers/disruption/events).
var removals = []string{"ScaleDown", "DisruptionTerminating"}

// RemovedOnPurpose resolves the last events of a node that an autoscaler removed, and that is not among the nodes that were read.
var RemovedOnPurpose = &triage.Ending{
	ID:    "removed-on-purpose",
	Doc:   "An autoscaler announced the removal of the node before the event, and the nodes that were read do not contain it.",
	Texts: events,
	Reads: []evidence.Kind{evidence.Nodes, evidence.Events},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		if f.Event == nil || f.Event.Object.Kind != "Node" || len(p.Snapshot.Nodes()) == 0 || p.Snapshot.Node(f.Event.Object.Name) != nil {
			return triage.End{}, false
		}
		for _, e := range timeline.OfObject(p.Snapshot, f.Event) {
			gap, known := timeline.Between(e, f.Event)
			if known && gap >= 0 && slices.Contains(removals, e.Reason) {
				return triage.End{By: fmt.Sprintf("the autoscaler removed the node: event %s%s", e.Reason, timeline.When(e)), At: e.Last}, true
			}
		}
		return triage.End{}, false
	},
}

package endings

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/triage"
)

// PodPlaced resolves the scheduler's messages about a pod that has a node now.
var PodPlaced = &triage.Ending{
	ID:    "pod-placed",
	Doc:   "The pod has been scheduled.",
	Texts: events,
	Reads: []evidence.Kind{evidence.Pods},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		pod := ofPod(p, f)
		if pod == nil || pod.Partial || f.Speaker != logline.Scheduler {
			return triage.End{}, false
		}
		return triage.End{By: "pod " + pod.Key() + " has been scheduled"}, pod.Node != ""
	},
}

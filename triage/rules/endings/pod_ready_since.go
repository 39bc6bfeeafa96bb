package endings

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// PodReadySince resolves events of a pod that became ready after them.
var PodReadySince = &triage.Ending{
	ID:    "pod-ready-since",
	Doc:   "The pod is healthy and became ready after the event.",
	Texts: events, Dated: true,
	Reads: []evidence.Kind{evidence.Pods},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		pod := ofPod(p, f)
		if pod == nil || !pod.Works() || pod.ReadySince.IsZero() {
			return triage.End{}, false
		}
		return triage.End{By: "pod " + pod.Key() + " has been ready since " + timeline.Stamp(pod.ReadySince), At: pod.ReadySince}, pod.ReadySince.After(f.Last)
	},
}

package endings

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// PodRunsSince resolves events about a pod that could not start, if its container was started since.
var PodRunsSince = &triage.Ending{
	ID:    "pod-runs-since",
	Doc:   "A container of the pod was started after the event.",
	Texts: events, Dated: true,
	Reads: []evidence.Kind{evidence.Pods},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		pod := ofPod(p, f)
		if pod == nil {
			return triage.End{}, false
		}
		return triage.End{By: "pod " + pod.Key() + " has been running since " + timeline.Stamp(pod.Started), At: pod.Started}, pod.Started.After(f.Last)
	},
}

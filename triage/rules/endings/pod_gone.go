package endings

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// PodGone resolves events of a deleted pod.
var PodGone = &triage.Ending{
	ID:    "pod-gone",
	Doc:   "All pods of the namespace were read, and the pod of the event no longer exists.",
	Texts: events,
	Reads: []evidence.Kind{evidence.Pods},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		gone := f.Subject.Kind == "Pod" && ofPod(p, f) == nil && p.Snapshot.PodGone(f.Subject.Namespace, f.Subject.Name)
		return triage.End{By: "pod " + f.Subject.Namespace + "/" + f.Subject.Name + " no longer exists"}, gone
	},
}

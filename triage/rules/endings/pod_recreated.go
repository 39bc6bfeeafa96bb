package endings

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// PodRecreated resolves events of a pod that was replaced by another pod of the same name.
var PodRecreated = &triage.Ending{
	ID:    "pod-recreated",
	Doc:   "The pod of that name was created after the event.",
	Texts: events, Dated: true,
	Reads: []evidence.Kind{evidence.Pods},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		pod := ofPod(p, f)
		if pod == nil {
			return triage.End{}, false
		}
		// Times are whole seconds: it may have been created as soon as the evicted pod was deleted.
		replaced := facts.ReasonOf(f.Match) == "Evicted" && !pod.Finished() && !pod.Created.Before(f.Last)
		return triage.End{By: "pod " + pod.Key() + " was recreated later", At: pod.Created}, replaced || pod.Created.After(f.Last)
	},
}

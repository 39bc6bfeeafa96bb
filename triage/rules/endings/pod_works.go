package endings

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
	"github.com/nodetriage/nodetriage/wording"
)

// PodWorks resolves events that were not repeated for a pod that works.
var PodWorks = &triage.Ending{
	ID:    "pod-works",
	Doc:   "The pod is healthy, and the event did not recur for longer than any component's retry interval.",
	Texts: events,
	Reads: []evidence.Kind{evidence.Pods},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		pod := ofPod(p, f)
		if pod == nil || pod.Partial || !pod.Works() {
			return triage.End{}, false
		}
		age, known := p.Age(f.Last)
		return triage.End{By: fmt.Sprintf("pod %s is healthy, and the event did not recur for %s", pod.Key(), wording.Duration(age)), At: f.Last}, known && age > timeline.EventSilence
	},
}

package endings

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// PodRuns resolves events about something without which a pod cannot run, if the pod runs.
var PodRuns = &triage.Ending{
	ID:    "pod-runs",
	Doc:   "The pod is running, which requires the object that was missing in the event.",
	Texts: events,
	Reads: []evidence.Kind{evidence.Pods},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		pod := ofPod(p, f)
		if pod == nil || pod.Partial || !pod.Works() {
			return triage.End{}, false
		}
		return triage.End{By: "pod " + pod.Key() + " runs"}, waitsToStart[facts.ReasonOf(f.Match)]
	},
}

// waitsToStart are the event reasons of pods that are not running yet.
var waitsToStart = map[string]bool{
	"FailedCreatePodSandBox": true, "FailedMount": true, "FailedAttachVolume": true, "FailedScheduling": true, "FailedMapVolume": true,
	"NetworkNotReady": true, "FailedCreatePodContainer": true,
}

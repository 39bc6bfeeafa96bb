package endings

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// PodSucceeded resolves messages about a pod that succeeded.
var PodSucceeded = &triage.Ending{
	ID:    "pod-succeeded",
	Doc:   "The pod has completed.",
	Texts: ofPods,
	Reads: []evidence.Kind{evidence.Pods},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		pod := ofPod(p, f)
		if pod == nil || pod.Phase != corev1.PodSucceeded {
			return triage.End{}, false
		}
		return triage.End{By: "pod " + pod.Key() + " has completed", At: pod.Ended}, true
	},
}

package endings

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// DisruptedPodReady resolves the disruption of a pod that has been ready since.
var DisruptedPodReady = &triage.Ending{
	ID:    "disrupted-pod-ready",
	Doc:   "The pod that should have been disrupted became ready later.",
	Texts: statuses,
	Reads: []evidence.Kind{evidence.Pods},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		pod := readyPod(p, f)
		if pod == nil || !strings.Contains(f.Ref.Locator, string(corev1.DisruptionTarget)) {
			return triage.End{}, false
		}
		return triage.End{By: "pod " + pod.Key() + " has been ready since " + timeline.Stamp(pod.ReadySince), At: pod.ReadySince}, pod.ReadySince.After(evictedAt(pod))
	},
}

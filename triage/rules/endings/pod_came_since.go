package endings

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// PodCameSince resolves problems that keep every new pod of a node from starting, if a pod was placed and started there after the
// message. Events of that pod are enough, even if it or the failed pods changed later.
var PodCameSince = &triage.Ending{
	ID:     "pod-came-since",
	Doc:    "A pod was scheduled to the node and started after the message, which is impossible during this problem.",
	Texts:  slices.Concat(logs, events),
	OfNode: true,
	Reads:  []evidence.Kind{evidence.Pods, evidence.Events},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		if !keepsNewPods(p, f.Says) || f.Event == nil && !takenWith(p, f) {
			return triage.End{}, false
		}
		for _, pod := range p.Snapshot.PodsOn(f.Node) {
			if madeAndStarted(p, f, pod) && sameSandbox(nil, pod) {
				return triage.End{By: "pod " + pod.Key() + ", created later, has been running on the node since " + timeline.Stamp(pod.Started), At: pod.Started}, true
			}
		}
		return placedAndStarted(p, f, f.Node)
	},
}

// keepsNewPods reports whether a problem prevents every new pod of a node from starting. It breaks the network of each pod, the
// runtime, the kubelet, or the kubelet's connection to the API server.
func keepsNewPods(p *triage.Pass, says string) bool {
	if cause := p.Catalog.Cause(says); cause != nil && cause.EveryPod {
		return true
	}
	return slices.Contains([]string{catalog.Ready, catalog.Answering, catalog.Reporting}, p.Catalog.Keeps(says))
}

// madeAndStarted reports whether a pod was created and started after a failure.
func madeAndStarted(p *triage.Pass, f *triage.Failure, pod *evidence.Pod) bool {
	return !f.Last.IsZero() && pod.Created.After(f.Last) && timeline.CameLater(p.Snapshot, pod.Started, f.Last)
}

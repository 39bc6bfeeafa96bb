package endings

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// PodCameSince ends what keeps every new pod of a node from starting where one was placed there and started after the message. It proves the
// end whatever became of the pods that failed, and of the one that came: its events are enough.
var PodCameSince = &triage.Ending{
	ID:     "pod-came-since",
	Doc:    "A pod was placed on the node and started there after the message, which none could have been beside that trouble.",
	Texts:  slices.Concat(logs, events),
	OfNode: true,
	Reads:  []evidence.Kind{evidence.Pods, evidence.Events},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		if !keepsNewPods(p, f.Says) || f.Event == nil && !takenWith(p, f) {
			return triage.End{}, false
		}
		for _, pod := range p.Snapshot.PodsOn(f.Node) {
			if madeAndStarted(p, f, pod) && sameSandbox(nil, pod) {
				return triage.End{By: "pod " + pod.Key() + ", made later, runs there since " + timeline.Stamp(pod.Started), At: pod.Started}, true
			}
		}
		return placedAndStarted(p, f, f.Node)
	},
}

// keepsNewPods reports whether no pod that is made on a node starts there while it is as is said: it takes the network of each, or stops the
// runtime, the kubelet, or the kubelet's way to the API server.
func keepsNewPods(p *triage.Pass, says string) bool {
	if cause := p.Catalog.Cause(says); cause != nil && cause.EveryPod {
		return true
	}
	return slices.Contains([]string{catalog.Ready, catalog.Answering, catalog.Reporting}, p.Catalog.Keeps(says))
}

// madeAndStarted reports whether a pod was made and started after a failure.
func madeAndStarted(p *triage.Pass, f *triage.Failure, pod *evidence.Pod) bool {
	return !f.Last.IsZero() && pod.Created.After(f.Last) && timeline.CameLater(p.Snapshot, pod.Started, f.Last)
}

package endings

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// PlacedSinceEviction resolves an eviction if the scheduler later placed a pod on the node that does not tolerate the pressure
// taint.
var PlacedSinceEviction = &triage.Ending{
	ID:    "placed-since-eviction",
	Doc:   "A pod was scheduled to the node after the eviction, although the pressure's taint would prevent this.",
	Texts: ofPods,
	Reads: []evidence.Kind{evidence.Nodes, evidence.Pods, evidence.Events},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		pod, n := failedPod(p, f)
		if pod == nil || !underPressure(f, pod, n) {
			return triage.End{}, false
		}
		other, at := placedUnder(p, n, pressureTaint(pod), evictedAt(pod))
		if other == nil {
			return triage.End{}, false
		}
		return triage.End{By: "pod " + other.Key() + " was scheduled to the node at " + timeline.Stamp(at) + ", which no taint prevented", At: at}, true
	},
}

// taintDelay is how long after the pressure its taint is set at the latest (kubernetes pkg/controller/nodelifecycle, 1.36.3: as
// soon as the condition is seen, which the kubelet reports every ten seconds).
const taintDelay = 12 * time.Second

// pressureTaint returns the taint of the pressure for which the pod was evicted.
func pressureTaint(evicted *evidence.Pod) *corev1.Taint {
	key := corev1.TaintNodeDiskPressure
	switch {
	case strings.Contains(evicted.Message, "resource: memory"):
		key = corev1.TaintNodeMemoryPressure
	case strings.Contains(evicted.Message, "resource: pids"):
		key = corev1.TaintNodePIDPressure
	}
	return &corev1.Taint{Key: key, Effect: corev1.TaintEffectNoSchedule}
}

// placedUnder returns a pod that the scheduler placed on the node well after that time, although it does not tolerate the taint.
// The node did not have the taint then. nil: none.
func placedUnder(p *triage.Pass, n *evidence.Node, taint *corev1.Taint, since time.Time) (*evidence.Pod, time.Time) {
	if since.IsZero() {
		return nil, time.Time{}
	}
	for _, pod := range p.Snapshot.PodsOn(n.Name) {
		if pod.Spec == nil || mechanics.TolerationOf(pod.Spec.Tolerations, taint) != nil {
			continue
		}
		for _, e := range p.Snapshot.EventsOf(pod.Subject()) {
			if e.Reason == "Scheduled" && e.Last.After(since.Add(taintDelay)) {
				return pod, e.Last
			}
		}
	}
	return nil, time.Time{}
}

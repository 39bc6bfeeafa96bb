package facts

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
)

// evictedAt is when a pod that failed was ended: of one whose containers never ran, when the kubelet decided it; zero: not known.
func evictedAt(pod *evidence.Pod) time.Time {
	i := slices.IndexFunc(pod.Conditions, func(c evidence.PodCondition) bool { return c.Type == string(corev1.DisruptionTarget) })
	if !pod.Ended.IsZero() || i < 0 {
		return pod.Ended
	}
	return pod.Conditions[i].Since
}

// taintDelay is within what time of a pressure its taint is there (kubernetes pkg/controller/nodelifecycle, 1.36.3: as soon as
// the condition is seen, which the kubelet reports every ten seconds).
const taintDelay = 12 * time.Second

// pressureTaint is the taint that keeps pods from the node that evicted this one.
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

// placedUnder returns a pod that the scheduler placed on the node, well after that time, although it does not tolerate the
// taint: the node did not have it then. nil: none.
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

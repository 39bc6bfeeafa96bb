package facts

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/logline"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// SettledFor is how long a pod must work before what its containers died of does not count any more.
const SettledFor = 10 * time.Minute

// statusEnd reports whether the status of a pod tells of something that is over: the last words of a container that works
// again for a while, and what ended a pod on a node that is well now.
func statusEnd(p *triage.Pass, m *evidence.Match) (ending, bool) {
	pod := p.Snapshot.Pod(m.Subject.Namespace, m.Subject.Name)
	if pod == nil {
		return ending{}, false
	}
	if end, ok := finished(p, pod, m); ok {
		return end, true
	}
	if !pod.Works() || pod.ReadySince.IsZero() {
		return ending{}, false
	}
	if strings.Contains(m.Ref.Locator, string(corev1.DisruptionTarget)) && pod.ReadySince.After(evictedAt(pod)) {
		return ending{"pod " + pod.Key() + " is ready since " + stamp(pod.ReadySince), pod.ReadySince}, true
	}
	if !strings.HasSuffix(m.Ref.Locator, "last state") {
		return ending{}, false
	}
	age, known := p.Age(pod.ReadySince)
	return ending{"pod " + pod.Key() + " works for " + wording.Duration(age), pod.ReadySince}, known && age > SettledFor
}

// finished reports whether a pod's end ended what is told of it. What ended a failed pod counts while its node is not well:
// unless the node's own words say that the pressure which evicted the pod is gone.
func finished(p *triage.Pass, pod *evidence.Pod, m *evidence.Match) (ending, bool) {
	switch {
	case pod.Phase == corev1.PodSucceeded:
		return ending{"pod " + pod.Key() + " has ended well", pod.Ended}, true
	case !pod.Finished() || pod.Reason == "":
		return ending{}, false
	}
	n := p.Snapshot.Node(pod.Node)
	if n == nil || n.Partial {
		return ending{}, false
	}
	if n.Ready() == evidence.True && !troubled(n) {
		return ending{"node " + n.Name + " is well, and the pod has ended", pod.Ended}, true
	}
	if pod.Reason == "Evicted" && m.Speaker != logline.Scheduler && !pressed(n) {
		since, evicted := Since(n), evictedAt(pod)
		if !evicted.IsZero() && !since.IsZero() && evicted.Before(since.Add(-time.Minute)) {
			return ending{"the pod was evicted before the trouble of node " + n.Name + " began", evicted}, true
		}
		if other, at := placedUnder(p, n, pressureTaint(pod), evicted); other != nil {
			return ending{"pod " + other.Key() + " was placed there at " + stamp(at) + ", which no taint kept away", at}, true
		}
	}
	return ending{}, false
}

// pressed reports whether the kubelet says that something is short on its node.
func pressed(n *evidence.Node) bool {
	return IsTrue(n, corev1.NodeDiskPressure) || IsTrue(n, corev1.NodeMemoryPressure) || IsTrue(n, corev1.NodePIDPressure)
}

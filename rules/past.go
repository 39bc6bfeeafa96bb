package rules

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// settledFor is how long a pod must work before what its containers died of does not count any more.
const settledFor = 10 * time.Minute

// repeatedWithin is how soon a kubelet says again what it says as long as it lasts: it collects containers each minute and
// images every five (pkg/kubelet/kubelet.go, 1.36.3), and client-go lets through one event of a kind in five minutes
// (tools/record/events_cache.go, v0.36.3). Twice that is silence.
var repeatedWithin = map[string]time.Duration{"ContainerGCFailed": 11 * time.Minute, "ImageGCFailed": 11 * time.Minute}

// over tells whether what an object said of itself is past, because the object is well since or gone:
//   - an event of a node that became Ready after it or with it, or that would have said it again by now, or on a runtime that
//     the kubelet has reached since;
//   - an event of a pod that became ready after it, or has ended;
//   - an event of a node or pod of which the complete evidence knows nothing any more;
//   - the last words of a container that works again for a while;
//   - the status of a pod that its node ended, where the node is well now;
//   - an error of the cloud after which the same operation succeeded, or of a pool that is Succeeded.
//
// Logs are never over, who hands them in wants to know; but for what every restart of a runtime prints.
func over(p *triage.Pass, m *evidence.Match) bool {
	if m.Kind == evidence.TextCloud {
		return cloudIsOver(p, m)
	}
	if m.Kind == evidence.TextLog || m.Kind == "" { // a text may be anything
		return restarted(p, m)
	}
	if m.Kind != evidence.TextEvent && m.Kind != evidence.TextStatus {
		return false
	}
	switch m.Subject.Kind {
	case "Node":
		n := p.Snapshot.Node(m.Subject.Name)
		if n == nil {
			return p.Snapshot.Covers(evidence.Nodes) == evidence.Complete
		}
		if m.Kind == evidence.TextEvent && servedSince(p, m) {
			return true
		}
		ready := n.Condition(corev1.NodeReady)
		if n.Ready() != evidence.True || m.Last.IsZero() {
			return false
		}
		again, repeats := repeatedWithin[m.Ref.Locator]
		age, known := p.Age(m.Last)
		return !m.Last.After(ready.LastTransitionTime.Time) || m.Kind == evidence.TextEvent && repeats && known && age > again
	case "Pod":
		pod := p.Snapshot.Pod(m.Subject.Namespace, m.Subject.Name)
		if pod == nil {
			return p.Snapshot.Covers(evidence.Pods) == evidence.Complete && p.Snapshot.Data().Source.Node == ""
		}
		return podIsOver(p, m, pod)
	}
	return false
}

func podIsOver(p *triage.Pass, m *evidence.Match, pod *evidence.Pod) bool {
	switch {
	case pod.Phase == corev1.PodSucceeded:
		return true
	case pod.Finished():
		n := p.Snapshot.Node(pod.Node)
		return pod.Reason != "" && n != nil && !n.Partial && n.Ready() == evidence.True && !troubled(n)
	case !pod.Works() || pod.ReadySince.IsZero():
		return false
	case m.Kind == evidence.TextEvent:
		return !m.Last.IsZero() && pod.ReadySince.After(m.Last)
	}
	age, known := p.Age(pod.ReadySince)
	return known && age > settledFor && strings.HasSuffix(m.Ref.Locator, "last state")
}

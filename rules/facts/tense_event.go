package facts

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/logline"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// silence is after how long without a repetition an event is over: client-go lets one event of a kind through in five
// minutes (tools/record/events_cache.go, v0.36.3), and no component backs off for longer than that. Twice it is silence.
const silence = 11 * time.Minute

// eventEnd reports whether an event is over, because the object that it is about is well since, gone, or has what it lacked.
func eventEnd(p *triage.Pass, m *evidence.Match) (ending, bool) {
	if end, ok := succeeded(p, m); ok {
		return end, true
	}
	if end, ok := startedSince(p, m); ok {
		return end, true
	}
	switch m.Subject.Kind {
	case "Node":
		return nodeEventEnd(p, m)
	case "Pod":
		return PodEventEnd(p, m)
	case "PersistentVolumeClaim":
		for _, c := range p.Snapshot.Claims() {
			if c.Namespace == m.Subject.Namespace && c.Name == m.Subject.Name && c.Status.Phase == corev1.ClaimBound {
				return ending{By: "the claim is bound"}, true
			}
		}
	default:
		if w := p.Snapshot.Workload(m.Subject.Kind, m.Subject.Namespace, m.Subject.Name); w != nil && !w.Partial && w.Replicas >= 0 && w.Current >= w.Replicas &&
			m.Speaker == logline.Controllers {
			return ending{By: fmt.Sprintf("%s has its %s", m.Subject, wording.Count(w.Replicas, "pod"))}, true
		}
	}
	return ending{}, false
}

func nodeEventEnd(p *triage.Pass, m *evidence.Match) (ending, bool) {
	n := p.Snapshot.Node(m.Subject.Name)
	if n == nil {
		return ending{By: "node " + m.Subject.Name + " is gone"}, p.Snapshot.Covers(evidence.Nodes) == evidence.Complete
	}
	if servedSince(p, m) {
		return ending{By: "the runtime answers its kubelet"}, true
	}
	if n.Ready() != evidence.True || m.Last.IsZero() {
		return ending{}, false
	}
	if sig := p.Signatures.Lookup(m.Signature); sig != nil && strings.HasPrefix(sig.Says, "runtime-") {
		for _, pod := range p.Snapshot.PodsOn(n.Name) {
			if at := startOf(pod); cameLater(p, at, m.Last) {
				return ending{"the runtime started pod " + pod.Key() + " at " + stamp(at), at}, true
			}
		}
	}
	ready := n.Condition(corev1.NodeReady).LastTransitionTime.UTC()
	if cameLater(p, ready, m.Last.Add(-1)) {
		return ending{"node " + n.Name + " is Ready since " + stamp(ready), ready}, true
	}
	if age, known := p.Age(m.Last); known && age > silence && repeated[reasonOf(m)] {
		return ending{"the kubelet has not said it again for " + wording.Duration(age), m.Last}, true
	}
	return ending{}, false
}

// repeated are the reasons of events that a kubelet repeats as long as the trouble lasts: it collects containers each minute
// and images every five (kubernetes pkg/kubelet/kubelet.go, 1.36.3), and evicts every ten seconds.
var repeated = map[string]bool{"ContainerGCFailed": true, "ImageGCFailed": true, "FreeDiskSpaceFailed": true, "EvictionThresholdMet": true}

// PodEventEnd reports whether an event of a pod is over. A pod that waits for something has its container started when it
// got it; one whose probe failed is ready when it does not fail any more.
func PodEventEnd(p *triage.Pass, m *evidence.Match) (ending, bool) {
	pod := p.Snapshot.Pod(m.Subject.Namespace, m.Subject.Name)
	if pod == nil {
		return ending{By: "pod " + m.Subject.Namespace + "/" + m.Subject.Name + " is gone"}, p.Snapshot.PodGone(m.Subject.Namespace, m.Subject.Name)
	}
	name := "pod " + pod.Key()
	if end, ok := finished(p, pod, m); ok {
		return end, true
	}
	if e := answeredSince(p, pod, m); e != nil {
		return ending{"the runtime answered its kubelet at " + stamp(e.Last), e.Last}, true
	}
	switch {
	case !m.Last.IsZero() && (pod.Created.After(m.Last) || reasonOf(m) == "Evicted" && !pod.Finished() && !pod.Created.Before(m.Last)):
		return ending{name + " was made anew since", pod.Created}, true // with whole seconds, as soon as the evicted one was gone
	case m.Speaker == logline.Scheduler && pod.Node != "" && !pod.Partial:
		return ending{By: name + " has got a node"}, true
	case !m.Last.IsZero() && pod.Started.After(m.Last):
		return ending{name + " runs since " + stamp(pod.Started), pod.Started}, true
	case pod.Works() && !pod.ReadySince.IsZero() && !m.Last.IsZero() && pod.ReadySince.After(m.Last):
		return ending{name + " is ready since " + stamp(pod.ReadySince), pod.ReadySince}, true
	case pod.Works() && !pod.Partial && waitsToStart[reasonOf(m)]:
		return ending{By: name + " runs"}, true
	}
	if age, known := p.Age(m.Last); known && age > silence && pod.Works() && !pod.Partial {
		return ending{fmt.Sprintf("%s works, and it was not said again for %s", name, wording.Duration(age)), m.Last}, true
	}
	return ending{}, false
}

// waitsToStart are the reasons of events of pods that do not run yet.
var waitsToStart = map[string]bool{
	"FailedCreatePodSandBox": true, "FailedMount": true, "FailedAttachVolume": true, "FailedScheduling": true, "FailedMapVolume": true,
	"NetworkNotReady": true, "FailedCreatePodContainer": true,
}

package facts

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/lazyregexp"
	"github.com/nodetriage/nodetriage/triage"
)

// startsPod are the words in which kubelet and runtime say that a pod could not be started (kubernetes pkg/kubelet/pod_workers.go,
// staging/src/k8s.io/cri-client/pkg/remote_runtime.go, 1.36.3; containerd internal/cri/instrument/instrumented_service.go v2.4.2).
var startsPod = lazyregexp.New(`Error syncing pod, skipping|RunPodSandbox (?:for|from)|CreatePodSandbox for pod failed`)

// tryTakes is longer than a kubelet takes from one try to start a pod to the end of the next: a runtime that hangs has four minutes,
// and ten seconds lie between (cri-client remote_runtime.go RunPodSandbox, pkg/kubelet/kubelet.go backOffPeriod, 1.36.3).
const tryTakes = 5 * time.Minute

// notTriedAgain is Unrepeated for a line of a log.
func notTriedAgain(p *triage.Pass, m *evidence.Match) bool {
	if !startsPod.MatchString(lastText(m)) {
		return false
	}
	n := p.Snapshot.Node(NodeOf(p.Snapshot, m.Subject))
	if m.Quiet > tryTakes || n == nil || m.Until.IsZero() {
		return m.Quiet > tryTakes
	}
	worked := m.Until // until when its kubelet tried
	if ready := n.Condition(corev1.NodeReady); n.Ready() != evidence.True {
		if ready == nil {
			return false
		}
		worked = ready.LastTransitionTime.UTC()
	}
	return worked.Sub(m.Last) > tryTakes
}

// LongAgo reports whether a line of a log tells of a pod that could not be started, longer before the end of the log than a kubelet takes
// to try again, and whether the node worked since is not known.
func LongAgo(p *triage.Pass, m *evidence.Match) bool {
	return m.Event == nil && startsPod.MatchString(lastText(m)) && m.Until.Sub(m.Last) > tryTakes && p.Snapshot.Node(NodeOf(p.Snapshot, m.Subject)) == nil
}

// stated reports whether the evidence says in which state a pod is.
func stated(p *triage.Pass, about evidence.Subject) bool {
	pod := p.Snapshot.Pod(about.Namespace, about.Name)
	return pod != nil && pod.Stated()
}

// Unrepeated reports whether an event tells of a pod that could not be started, that was not read and of which nothing was said
// again for longer than a kubelet waits between two tries: the pod is gone, and whether its node still lacks what it wanted
// cannot be told. A kubelet whose node is not Ready may be silent for its own trouble.
func Unrepeated(p *triage.Pass, m *evidence.Match) bool {
	if m.Event == nil {
		return notTriedAgain(p, m)
	}
	_, start := startFailures[reasonOf(m)]
	if !start || m.Subject.Kind != "Pod" || stated(p, m.Subject) {
		return false
	}
	if n := p.Snapshot.Node(hostOf(m)); n != nil && n.Ready() != evidence.True {
		return false
	}
	age, known := p.Age(m.Last)
	return known && age > silence
}

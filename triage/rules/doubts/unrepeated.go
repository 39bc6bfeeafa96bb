package doubts

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// Unrepeated doubts a message about a pod that could not start, if it was not repeated for longer than a kubelet waits between two
// attempts. The pod was not read, so it is probably deleted, and whether its node still has the problem is unknown. A kubelet on a
// NotReady node may be silent for another reason.
var Unrepeated = &triage.Doubt{
	ID:     "unrepeated",
	Doc:    "The kubelet has not retried to start the pod for longer than its backoff.",
	AtMost: triage.Possible,
	Reads:  []evidence.Kind{evidence.Nodes, evidence.Pods},
	Holds: func(p *triage.Pass, f *triage.Failure) bool {
		if f.Event == nil {
			return startsPod.MatchString(timeline.LastText(f.Match)) && lineNotTriedAgain(p, f)
		}
		_, start := facts.StartFailures[facts.ReasonOf(f.Match)]
		pod := p.Snapshot.Pod(f.Subject.Namespace, f.Subject.Name)
		stated := pod != nil && pod.Stated()
		if !start || stated || f.Subject.Kind != "Pod" {
			return false
		}
		if n := p.Snapshot.Node(facts.HostOf(f.Match)); n != nil && n.Ready() != evidence.True {
			return false
		}
		age, known := p.Age(f.Last)
		return known && age > timeline.EventSilence
	},
}

// startsPod matches messages of kubelet and runtime that a pod could not start (kubernetes pkg/kubelet/pod_workers.go,
// staging/src/k8s.io/cri-client/pkg/remote_runtime.go, 1.36.3; containerd internal/cri/instrument/instrumented_service.go v2.4.2).
var startsPod = lazyregexp.New(`Error syncing pod, skipping|RunPodSandbox (?:for|from)|CreatePodSandbox for pod failed`)

// tryTakes is longer than a kubelet takes from one attempt to start a pod to the end of the next. A hanging runtime has four
// minutes, and ten seconds are between attempts (cri-client remote_runtime.go RunPodSandbox, pkg/kubelet/kubelet.go backOffPeriod,
// 1.36.3).
const tryTakes = 5 * time.Minute

// lineNotTriedAgain reports whether a kubelet worked after a log line for longer than it takes to retry.
func lineNotTriedAgain(p *triage.Pass, f *triage.Failure) bool {
	n := p.Snapshot.Node(f.Node)
	if f.Quiet > tryTakes || n == nil || f.Until.IsZero() {
		return f.Quiet > tryTakes
	}
	worked := f.Until // the last time at which its kubelet may have tried
	if ready := n.Condition(corev1.NodeReady); n.Ready() != evidence.True {
		if ready == nil {
			return false
		}
		worked = ready.LastTransitionTime.UTC()
	}
	return worked.Sub(f.Last) > tryTakes
}

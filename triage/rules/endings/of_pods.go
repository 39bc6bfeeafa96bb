package endings

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// ofPod returns the pod that an event is about; nil: another object, or the pod was not read.
func ofPod(p *triage.Pass, f *triage.Failure) *evidence.Pod {
	if f.Subject.Kind != "Pod" {
		return nil
	}
	return p.Snapshot.Pod(f.Subject.Namespace, f.Subject.Name)
}

// events are the kinds of text of events.
var events = []string{evidence.TextEvent}

// startOf returns when a pod was started at the latest. Bundles from before 2026-11 contain only its creation time and whether it
// works.
func startOf(pod *evidence.Pod) time.Time {
	if pod.Started.IsZero() && pod.Works() {
		return pod.Created
	}
	return pod.Started
}

// ofPods are the kinds of text about pods.
var ofPods = []string{evidence.TextEvent, evidence.TextStatus}

// failedPod returns the pod of a message and its node, if the pod ended with a reason; nil: it did not, or the node was not read.
func failedPod(p *triage.Pass, f *triage.Failure) (*evidence.Pod, *evidence.Node) {
	pod := ofPod(p, f)
	if pod == nil || pod.Phase == corev1.PodSucceeded || !pod.Finished() || pod.Reason == "" {
		return nil, nil
	}
	n := p.Snapshot.Node(pod.Node)
	if n == nil || n.Partial {
		return nil, nil
	}
	return pod, n
}

// underPressure reports whether the kubelet evicted a pod from a node that no longer reports pressure, although it is not healthy.
func underPressure(f *triage.Failure, pod *evidence.Pod, n *evidence.Node) bool {
	return pod.Reason == "Evicted" && f.Speaker != logline.Scheduler && !pressed(n)
}

// pressed reports whether the kubelet reports pressure on its node.
func pressed(n *evidence.Node) bool {
	return facts.IsTrue(n, corev1.NodeDiskPressure) || facts.IsTrue(n, corev1.NodeMemoryPressure) || facts.IsTrue(n, corev1.NodePIDPressure)
}

// evictedAt returns when a failed pod ended, or, if its containers never ran, when the kubelet decided to evict it; zero: unknown.
func evictedAt(pod *evidence.Pod) time.Time {
	i := slices.IndexFunc(pod.Conditions, func(c evidence.PodCondition) bool { return c.Type == string(corev1.DisruptionTarget) })
	if !pod.Ended.IsZero() || i < 0 {
		return pod.Ended
	}
	return pod.Conditions[i].Since
}

// statuses are the kinds of text of pod statuses.
var statuses = []string{evidence.TextStatus}

// readyPod returns the pod of a status if it works and its ready time is known, or nil.
func readyPod(p *triage.Pass, f *triage.Failure) *evidence.Pod {
	pod := p.Snapshot.Pod(f.Subject.Namespace, f.Subject.Name)
	if pod == nil || !pod.Works() || pod.ReadySince.IsZero() {
		return nil
	}
	return pod
}

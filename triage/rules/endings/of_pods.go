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

// ofPod is the pod that an event is about; nil: it is about something else, or the pod was not read.
func ofPod(p *triage.Pass, f *triage.Failure) *evidence.Pod {
	if f.Subject.Kind != "Pod" {
		return nil
	}
	return p.Snapshot.Pod(f.Subject.Namespace, f.Subject.Name)
}

// events are the kinds of text that events are.
var events = []string{evidence.TextEvent}

// startOf is when a pod was started at the latest: bundles of before 2026-11 tell only when it was made and that it works.
func startOf(pod *evidence.Pod) time.Time {
	if pod.Started.IsZero() && pod.Works() {
		return pod.Created
	}
	return pod.Started
}

// ofPods are the kinds of text that tell of pods.
var ofPods = []string{evidence.TextEvent, evidence.TextStatus}

// failedPod is the pod that a message tells of, where it was ended for a reason, and its node; nil: it was not, or the node was not read.
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

// underPressure reports whether a pod was evicted from a node that says no more that anything is short, though it is not well.
func underPressure(f *triage.Failure, pod *evidence.Pod, n *evidence.Node) bool {
	return pod.Reason == "Evicted" && f.Speaker != logline.Scheduler && !pressed(n)
}

// pressed reports whether the kubelet says that something is short on its node.
func pressed(n *evidence.Node) bool {
	return facts.IsTrue(n, corev1.NodeDiskPressure) || facts.IsTrue(n, corev1.NodeMemoryPressure) || facts.IsTrue(n, corev1.NodePIDPressure)
}

// evictedAt is when a pod that failed was ended: of one whose containers never ran, when the kubelet decided it; zero: not known.
func evictedAt(pod *evidence.Pod) time.Time {
	i := slices.IndexFunc(pod.Conditions, func(c evidence.PodCondition) bool { return c.Type == string(corev1.DisruptionTarget) })
	if !pod.Ended.IsZero() || i < 0 {
		return pod.Ended
	}
	return pod.Conditions[i].Since
}

// statuses are the kinds of text that statuses of pods are.
var statuses = []string{evidence.TextStatus}

// readyPod is the pod of a status, where it works and is ready since a known time; nil: it is not.
func readyPod(p *triage.Pass, f *triage.Failure) *evidence.Pod {
	pod := p.Snapshot.Pod(f.Subject.Namespace, f.Subject.Name)
	if pod == nil || !pod.Works() || pod.ReadySince.IsZero() {
		return nil
	}
	return pod
}

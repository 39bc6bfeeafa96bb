package facts

import (
	"k8s.io/utils/ptr"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// startedSince reports whether a pod that was made on the same node after a pod's sandbox could not be made or taken down got
// its own, where what is said keeps every pod of the node from that. Such a pod proves more than the one that failed, whose next try may not have
// come through.
func startedSince(p *triage.Pass, m *evidence.Match) (ending, bool) {
	sig := p.Signatures.Lookup(m.Signature)
	reason := reasonOf(m)
	if sig == nil || reason != "FailedCreatePodSandBox" && reason != "FailedKillPod" || m.Last.IsZero() {
		return ending{}, false
	}
	if cause := p.Catalog.Cause(sig.Says); cause == nil || !cause.EveryPod {
		return ending{}, false
	}
	failed := p.Snapshot.Pod(m.Subject.Namespace, m.Subject.Name)
	if failed == nil {
		return startedByEvents(p, m)
	}
	for _, other := range p.Snapshot.PodsOn(failed.Node) {
		if failed.Node != "" && other.Created.After(m.Last) && other.Started.After(m.Last) && sameSandbox(failed, other) {
			return ending{"pod " + other.Key() + ", made later, runs there since " + stamp(other.Started), other.Started}, true
		}
	}
	return ending{}, false
}

// sameSandbox reports whether two pods get their sandboxes in the same way: from one runtime class, with a network of their own.
func sameSandbox(pod, other *evidence.Pod) bool {
	if pod.Spec == nil || other.Spec == nil {
		return false
	}
	return !other.Spec.HostNetwork && ptr.Equal(pod.Spec.RuntimeClassName, other.Spec.RuntimeClassName)
}

// startedByEvents is startedSince where the pods were not read: another pod was placed on the node and started after the
// failure, both later, so that it did not have its sandbox before.
func startedByEvents(p *triage.Pass, m *evidence.Match) (ending, bool) {
	if m.Event == nil || m.Event.Host == "" {
		return ending{}, false
	}
	placed := map[evidence.Subject]bool{}
	for _, e := range p.Snapshot.Events() {
		if e.Reason == "Scheduled" && e.Last.After(m.Last) {
			placed[e.Object] = true
		}
	}
	for _, e := range p.Snapshot.Events() {
		if e.Reason == "Started" && e.Host == m.Event.Host && e.Last.After(m.Last) && placed[e.Object] && e.Object != m.Subject {
			return ending{e.Object.String() + " was placed there later and started at " + stamp(e.Last), e.Last}, true
		}
	}
	return ending{}, false
}

package facts

import (
	"strings"

	"k8s.io/utils/ptr"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
)

// startFailures are the reasons of events of a pod that a kubelet could not start, and whether the sandbox is what it lacks.
var startFailures = map[string]bool{
	"FailedCreatePodSandBox": true, "NetworkNotReady": true, "FailedPodSandBoxStatus": true,
	"FailedMount": false, "FailedMapVolume": false, "FailedAttachVolume": false, "FailedCreatePodContainer": false, "Failed": false,
}

// startedSince reports whether a pod that was made on the same node after a pod could not be started (or its sandbox not taken
// down) came to run, and needed the same. Such a pod proves more than the one that failed, whose next try may not have come
// through, or which does not exist any more.
func startedSince(p *triage.Pass, m *evidence.Match) (ending, bool) {
	node := nodeOfStart(p, m)
	if node == "" || m.Last.IsZero() {
		return ending{}, false
	}
	for _, other := range p.Snapshot.PodsOn(node) {
		if other.Created.After(m.Last) && cameLater(p, other.Started, m.Last) && neededTheSame(p, m, other) {
			return ending{"pod " + other.Key() + ", made later, runs there since " + stamp(other.Started), other.Started}, true
		}
	}
	return startedByEvents(p, m, node)
}

// nodeOfStart is the node on which a pod could not be started, by the pod or, where that was not read, by who said so.
func nodeOfStart(p *triage.Pass, m *evidence.Match) string {
	if _, start := startFailures[reasonOf(m)]; !start && reasonOf(m) != "FailedKillPod" || m.Subject.Kind != "Pod" {
		return ""
	}
	if p.Snapshot.Pod(m.Subject.Namespace, m.Subject.Name) == nil {
		return hostOf(m)
	}
	return NodeOf(p.Snapshot, m.Subject)
}

// hostOf is the node of who said an event; "" where no event was read, or it does not tell.
func hostOf(m *evidence.Match) string {
	if m.Event == nil {
		return ""
	}
	return m.Event.Host
}

// neededTheSame reports whether a pod that runs got what the one lacks that a message is about: a sandbox with a network, where
// none could get one or the failure is of long ago; all that its own template asks for, where it has taken the place of the other.
func neededTheSame(p *triage.Pass, m *evidence.Match, other *evidence.Pod) bool {
	failed := p.Snapshot.Pod(m.Subject.Namespace, m.Subject.Name)
	return keepsAll(p, m) && sameSandbox(failed, other) || takesPlaceOf(m.Subject, other) && failed == nil && reasonOf(m) != "FailedKillPod"
}

// keepsAll reports whether what is said of a sandbox keeps every pod of the node from its own, or was said so long ago, of a pod
// that was not read, that it told of the node's pods of then.
func keepsAll(p *triage.Pass, m *evidence.Match) bool {
	sig := p.Signatures.Lookup(m.Signature)
	if sig == nil || !startFailures[reasonOf(m)] && reasonOf(m) != "FailedKillPod" {
		return false
	}
	cause := p.Catalog.Cause(sig.Says)
	return cause != nil && cause.EveryPod || startFailures[reasonOf(m)] && Unrepeated(p, m)
}

// takesPlaceOf reports whether a pod is made of the same template as one that was not read, by the name of its controller. The
// pods of a StatefulSet have volumes of their own.
func takesPlaceOf(failed evidence.Subject, other *evidence.Pod) bool {
	number, same := strings.CutPrefix(failed.Name, other.Owner.Name+"-")
	alike := mechanics.Replaced(other) && mechanics.Replaces(other) != mechanics.WhenGone
	return same && alike && other.Owner.Name != "" && other.Namespace == failed.Namespace && !strings.Contains(number, "-")
}

// sameSandbox reports whether two pods get their sandboxes in the same way: from one runtime class, with a network of their own.
// A pod that was not read counts as one of the usual class.
func sameSandbox(pod, other *evidence.Pod) bool {
	if other.Spec == nil || other.Spec.HostNetwork {
		return false
	}
	if pod == nil {
		return other.Spec.RuntimeClassName == nil
	}
	return pod.Spec != nil && ptr.Equal(pod.Spec.RuntimeClassName, other.Spec.RuntimeClassName)
}

// startedByEvents is startedSince where the other pod was not read: it was placed on the node and started after the failure,
// both later, so that it did not have its sandbox before.
func startedByEvents(p *triage.Pass, m *evidence.Match, node string) (ending, bool) {
	if p.Snapshot.Pod(m.Subject.Namespace, m.Subject.Name) != nil || !keepsAll(p, m) {
		return ending{}, false
	}
	placed := map[evidence.Subject]bool{}
	for _, e := range p.Snapshot.Events() {
		if e.Reason == "Scheduled" && e.Last.After(m.Last) {
			placed[e.Object] = true
		}
	}
	for _, e := range p.Snapshot.Events() {
		read := p.Snapshot.Pod(e.Object.Namespace, e.Object.Name) // its own times have told
		if e.Reason == "Started" && e.Host == node && e.Last.After(m.Last) && placed[e.Object] && e.Object != m.Subject && (read == nil || sameSandbox(nil, read)) {
			return ending{e.Object.String() + " was placed there later and started at " + stamp(e.Last), e.Last}, true
		}
	}
	return ending{}, false
}

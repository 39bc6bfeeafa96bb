package facts

import (
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
)

// slowStart is how long a new pod may wait for a node, or for its volume to be detached from another node. Components retry this by
// design, so it is not a problem of a node.
var slowStart = map[string]time.Duration{
	"FailedScheduling": YoungPod, "FailedAttachVolume": YoungPod, "NotTriggerScaleUp": YoungPod, ".status.conditions[PodScheduled]": YoungPod,
}

// QuickStart is how long a container may take to answer its probes. Anything else that keeps a pod from starting is only a warning
// for that long.
const QuickStart = 2 * time.Minute

// Early reports whether a problem is too young to last. It is reported at once, but as a warning.
func Early(p *triage.Pass, m *evidence.Match) bool {
	age, known := ageOfPod(p, m)
	return known && age < QuickStart
}

// Starting reports whether a message is about a start or a retry by design, and means nothing yet:
//   - of a node that just joined, or whose machine an upgrade replaces, and of its pods, which have no network yet;
//   - of a pod that waits for a node or a volume, or a container that has not answered its first probes;
//   - of an eviction that a PodDisruptionBudget refuses;
//   - of a retry by a component on a working node;
//   - of a node that is removed on purpose.
func Starting(p *triage.Pass, m *evidence.Match) bool {
	if OfRemoval(p, m) {
		return true
	}
	if !ofObject(m) {
		return TriedAgain(p, m)
	}
	if n := p.Snapshot.Node(p.Snapshot.NodeOf(m.Subject)); n != nil && !n.Partial {
		if Joining(p, n) || Replacing(p, n) {
			return true
		}
		if m.Subject.Kind == "Node" {
			patience := p.Catalog.Patience(p.Signatures.Lookup(m.Signature).Says)
			age, known := p.Age(m.First)
			return patience > 0 && m.Kind == evidence.TextEvent && known && age < patience
		}
	}
	wait, slow := slowStart[m.Ref.Locator]
	if m.Ref.Locator == "Unhealthy" {
		wait, slow = QuickStart, true
	}
	age, known := ageOfPod(p, m)
	return slow && known && age < wait
}

// TriedAgain reports whether a log line is about something that its component retries, and that has not failed for long on a Ready
// node.
func TriedAgain(p *triage.Pass, m *evidence.Match) bool {
	retried := time.Duration(p.Signatures.Lookup(m.Signature).Retried)
	n := p.Snapshot.Node(p.Snapshot.NodeOf(m.Subject))
	if retried == 0 || n == nil || n.Partial || n.Ready() != evidence.True {
		return false
	}
	first, last := Spoken(p, m)
	return last.Sub(first) < retried
}

// ofObject reports whether the message comes from an API object, so that the object's age counts. Pasted text is usually about a
// problem that lasts.
func ofObject(m *evidence.Match) bool {
	return m.Kind == evidence.TextEvent || m.Kind == evidence.TextStatus || m.Kind == evidence.TextCondition
}

// ageOfPod returns the age of the pod that a message is about, if the pod may still start.
func ageOfPod(p *triage.Pass, m *evidence.Match) (time.Duration, bool) {
	pod := p.Snapshot.Pod(m.Subject.Namespace, m.Subject.Name)
	if pod == nil || m.Subject.Kind != "Pod" || !ofObject(m) || !mayStart(pod) {
		return 0, false
	}
	age, known := p.Age(pod.Created)
	return age, known && age > 0 // if nothing was observed later, the age is unknown
}

// mayStart reports whether a pod may still start: it is not finished and was not restarted repeatedly.
func mayStart(pod *evidence.Pod) bool {
	return !pod.Partial && !pod.Created.IsZero() && !pod.Finished() && pod.Restarts <= 2
}

// lasts reports whether a message that every start prints was present for longer than a start takes. A single log line is about one
// moment; a condition lasts from its transition.
func lasts(p *triage.Pass, sig *signatures.Signature, m *evidence.Match) bool {
	if sig.Start == nil || beyondStart(sig.Start, m.Ref.Text) || beyondStart(sig.Start, m.LastText) {
		return true
	}
	takes := time.Duration(sig.Start.Takes)
	if m.Kind == evidence.TextCondition {
		age, known := p.Age(m.First)
		return !known || age >= takes
	}
	first, last := m.First, m.Last
	if first.IsZero() {
		first, last = Spoken(p, m)
	}
	return last.Sub(first) >= takes
}

// beyondStart reports whether a text says more than that the component starts.
func beyondStart(start *signatures.Start, text string) bool {
	return text != "" && !strings.Contains(strings.ToLower(text), strings.ToLower(start.Words))
}

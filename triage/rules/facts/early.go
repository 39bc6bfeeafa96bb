package facts

import (
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
)

// slowStart is how long a pod that has just been made may look for a place, and its volume may take to come from another
// node: components try this again and again by design, and it is no trouble of a node.
var slowStart = map[string]time.Duration{
	"FailedScheduling": YoungPod, "FailedAttachVolume": YoungPod, "NotTriggerScaleUp": YoungPod, ".status.conditions[PodScheduled]": YoungPod,
}

// QuickStart is how long a container may take to answer its probes, and how long everything else that keeps a pod from
// starting is a warning only.
const QuickStart = 2 * time.Minute

// Early reports whether trouble is too young to be called lasting: it is told from its first message on, as a warning.
func Early(p *triage.Pass, m *evidence.Match) bool {
	age, known := ageOfPod(p, m)
	return known && age < QuickStart
}

// Starting reports whether a message is of what starts, or is tried again by design, and says nothing yet:
//   - of a node that has just joined, or whose machine an upgrade replaces, and of pods there: they have no network yet;
//   - of a pod that looks for a place or waits for a volume, or a container that has not answered its first probes;
//   - of an eviction that a budget refuses;
//   - of what a component of a node that works tries again by itself;
//   - of a node that somebody removes on purpose.
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

// TriedAgain reports whether a log tells of something that its component tries again by itself, and has not failed at for long
// on a node that is Ready.
func TriedAgain(p *triage.Pass, m *evidence.Match) bool {
	retried := time.Duration(p.Signatures.Lookup(m.Signature).Retried)
	n := p.Snapshot.Node(p.Snapshot.NodeOf(m.Subject))
	if retried == 0 || n == nil || n.Partial || n.Ready() != evidence.True {
		return false
	}
	first, last := Spoken(p, m)
	return last.Sub(first) < retried
}

// ofObject reports whether an object says the message, so that the object's age counts. What people paste as text, they paste
// because it lasts.
func ofObject(m *evidence.Match) bool {
	return m.Kind == evidence.TextEvent || m.Kind == evidence.TextStatus || m.Kind == evidence.TextCondition
}

// ageOfPod is how long the pod that a message is about exists, if it is one that may still start.
func ageOfPod(p *triage.Pass, m *evidence.Match) (time.Duration, bool) {
	pod := p.Snapshot.Pod(m.Subject.Namespace, m.Subject.Name)
	if pod == nil || m.Subject.Kind != "Pod" || !ofObject(m) || !mayStart(pod) {
		return 0, false
	}
	return p.Age(pod.Created)
}

// mayStart reports whether the object of a pod shows that it may still start: it has not ended, and was not started again and again.
func mayStart(pod *evidence.Pod) bool {
	return !pod.Partial && !pod.Created.IsZero() && !pod.Finished() && pod.Restarts <= 2
}

// lasts reports whether a message that every start prints was there for longer than a start takes. What a log says once, it
// says of a moment; a condition lasts from its transition on.
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

// beyondStart reports whether a text tells more than that the component starts.
func beyondStart(start *signatures.Start, text string) bool {
	return text != "" && !strings.Contains(strings.ToLower(text), strings.ToLower(start.Words))
}

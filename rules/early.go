package rules

import (
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/signatures"
	"github.com/nodetriage/nodetriage/triage"
)

// slowStart is how long things may take that need others: a place to run, a volume from another node.
var slowStart = map[string]time.Duration{
	"FailedScheduling": youngPod, "FailedAttachVolume": youngPod, "FailedMount": youngPod, "NotTriggerScaleUp": youngPod,
	".status.conditions[PodScheduled]": youngPod,
}

// quickStart is how long everything else may take.
const quickStart = 2 * time.Minute

// early tells whether it is too early to take a message for trouble. Only where a cluster was read as a whole is
// the time that of the cluster; what people paste, they paste because it lasts.
//   - A pod that has just been made looks for a place, a volume and its first answer.
//   - A node that has just joined has no network yet; one whose machine an upgrade replaces says nothing.
//   - An eviction that a budget refuses is tried again.
func early(p *triage.Pass, m *evidence.Match, says string) bool {
	if m.Kind != evidence.TextEvent && m.Kind != evidence.TextStatus && m.Kind != evidence.TextCondition ||
		p.Snapshot.Covers(evidence.Pods) != evidence.Complete && p.Snapshot.Covers(evidence.Nodes) != evidence.Complete {
		return false
	}
	switch m.Subject.Kind {
	case "Pod":
		pod := p.Snapshot.Pod(m.Subject.Namespace, m.Subject.Name)
		if pod == nil || pod.Partial || pod.Finished() || pod.Restarts > 2 {
			return false
		}
		age, known := p.Age(pod.Created)
		return known && age < max(slowStart[m.Ref.Locator], quickStart)
	case "Node":
		n := p.Snapshot.Node(m.Subject.Name)
		if n == nil || n.Partial {
			return false
		}
		if joining(p, n) || replacing(p, n) {
			return true
		}
		refused := says == "drain-failed" || says == "eviction-refused" || says == "drain-blocked-pdb"
		age, known := p.Age(m.First)
		return refused && m.Kind == evidence.TextEvent && known && age < patience
	}
	return false
}

// firstRelist is how long a kubelet that has just started may take for its first list of pods: it does it every second
// (kubernetes pkg/kubelet/pleg/generic.go, 1.36.3), and says until then that it has none.
const firstRelist = time.Minute

// lasts tells whether a message that every start prints was there for longer than a start takes. What a log says once, it
// says of a moment; a condition lasts from its transition on.
func lasts(p *triage.Pass, sig *signatures.Signature, m *evidence.Match) bool {
	if sig.ID != "kubelet-pleg-never" {
		return true
	}
	if m.Kind == evidence.TextCondition {
		age, known := p.Age(m.First)
		return !known || age >= firstRelist
	}
	first, last := m.First, m.Last
	if first.IsZero() {
		first, last = spoken(p, m)
	}
	return last.Sub(first) >= firstRelist
}

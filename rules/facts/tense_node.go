package facts

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// shortageEnd reports whether a kubelet has taken back its word that something is short on the node since a message said so.
func shortageEnd(p *triage.Pass, m *evidence.Match) (ending, bool) {
	n := p.Snapshot.Node(NodeOf(p.Snapshot, m.Subject))
	sig := p.Signatures.Lookup(m.Signature)
	if n == nil || n.Partial || sig == nil || p.Catalog.Symptom(sig.Says) == nil || m.Last.IsZero() || m.Kind == evidence.TextCondition {
		return ending{}, false
	}
	var last *corev1.NodeCondition
	for _, typ := range p.Catalog.Symptom(sig.Says).Conditions {
		c := n.Condition(corev1.NodeConditionType(typ))
		if c == nil || c.Status != corev1.ConditionFalse {
			return ending{}, false
		}
		if last == nil || c.LastTransitionTime.After(last.LastTransitionTime.Time) {
			last = c
		}
	}
	if last == nil || m.Last.Truncate(time.Second).After(last.LastTransitionTime.Time) { // an object's times are of whole seconds
		return ending{}, false
	}
	at := last.LastTransitionTime.UTC()
	return ending{"node " + n.Name + " says " + string(last.Type) + "=False since " + stamp(at), at}, true
}

// momentary reports whether a kubelet or a runtime tells by it that it could not do for a moment what it does all the time.
func momentary(p *triage.Pass, says string) bool {
	symptom := p.Catalog.Symptom(says)
	return symptom != nil && symptom.Momentary
}

// settledNode is how long the log of a node that is well must go on without such a symptom: longer than kubelets wait before they
// ask again, but for images and volumes, whose pods do not work then.
const settledNode = 30 * time.Second

// wellSince reports whether a node whose log told of a failed request is well and has not told of it again: it is Ready and says
// that nothing is short, its kubelet renewed the lease since, and every pod on it works or has just been made.
func wellSince(p *triage.Pass, n *evidence.Node, m *evidence.Match, says string) (ending, bool) {
	quiet, known := p.Age(m.Last)
	pause := m.Last.Sub(m.First) / time.Duration(max(m.Count-1, 1))
	lease := p.Snapshot.NodeLease(n.Name)
	if !momentary(p, says) || !known || quiet < max(settledNode, 3*pause) || troubled(n) || lease == nil || !lease.Renewed.After(m.Last) {
		return ending{}, false
	}
	if fresh, _ := Beats(p, n.Name); fresh != evidence.True {
		return ending{}, false
	}
	for _, pod := range p.Snapshot.PodsOn(n.Name) {
		age, dated := p.Age(pod.Created)
		if !pod.Works() && !pod.Finished() && !pod.Deleting() && !(dated && age < quickStart) {
			return ending{}, false
		}
	}
	return ending{"node " + n.Name + " is well, and it was not said again for " + wording.Duration(quiet), m.Last}, true
}

// LastFailed is when that began which a transient message tells of: the message may be as old as the node's first start, and a
// node starts more than once. It is when the node last stopped being Ready before the message came last, or else that.
func LastFailed(p *triage.Pass, m *evidence.Match) time.Time {
	failed := m.Last
	for _, e := range p.Snapshot.EventsOf(evidence.NodeSubject(m.Subject.Name)) {
		if e.Reason == "NodeNotReady" && !e.Last.After(m.Last) && e.Last.After(m.First) {
			failed = e.Last
		}
	}
	return failed
}

package endings

import (
	"cmp"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/doubts"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// PodMadeLaterRuns ends what kept a pod from starting (or its sandbox from being taken down) where a pod that was made on the same node
// later came to run, and needed the same. Such a pod proves more than the one that failed, whose next try may not have come through, or
// which does not exist any more.
var PodMadeLaterRuns = &triage.Ending{
	ID:    "pod-made-later-runs",
	Doc:   "A pod that was made on the node after the event runs, and needed the same.",
	Texts: events, Dated: true,
	Reads: []evidence.Kind{evidence.Nodes, evidence.Pods, evidence.Events},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		node := nodeOfStart(p, f)
		if node == "" {
			return triage.End{}, false
		}
		for _, other := range p.Snapshot.PodsOn(node) {
			later := other.Created.After(f.Last) && timeline.CameLater(p.Snapshot, other.Started, f.Last)
			if later && neededTheSame(p, f, other) {
				return triage.End{By: "pod " + other.Key() + ", made later, runs there since " + timeline.Stamp(other.Started), At: other.Started}, true
			}
		}
		return startedByEvents(p, f, node)
	},
}

// nodeOfStart is the node on which a pod could not be started, by the pod or, where that was not read, by who said so.
func nodeOfStart(p *triage.Pass, f *triage.Failure) string {
	reason := facts.ReasonOf(f.Match)
	_, start := facts.StartFailures[reason]
	if f.Subject.Kind != "Pod" || !start && reason != "FailedKillPod" {
		return ""
	}
	if ofPod(p, f) == nil {
		return facts.HostOf(f.Match)
	}
	return f.Node
}

// neededTheSame reports whether a pod that runs got what the one lacks that a message is about: a sandbox with a network, where
// none could get one or the failure is of long ago; all that its own template asks for, where it has taken the place of the other.
func neededTheSame(p *triage.Pass, f *triage.Failure, other *evidence.Pod) bool {
	failed := ofPod(p, f)
	if keepsAll(p, f) && sameSandbox(failed, other) {
		return true
	}
	return failed == nil && takesPlaceOf(f.Subject, other) && facts.ReasonOf(f.Match) != "FailedKillPod"
}

// keepsAll reports whether what is said of a sandbox keeps every pod of the node from its own, or was said so long ago, of a pod
// that was not read, that it told of the node's pods of then.
func keepsAll(p *triage.Pass, f *triage.Failure) bool {
	reason := facts.ReasonOf(f.Match)
	sandbox := facts.StartFailures[reason]
	if f.Signature == nil || !sandbox && reason != "FailedKillPod" {
		return false
	}
	cause := p.Catalog.Cause(f.Says)
	if cause != nil && cause.EveryPod {
		return true
	}
	return sandbox && doubts.Unrepeated.Holds(p, f)
}

// startedByEvents looks for the other pod where it was not read: it was placed on the node and started after the failure, both later,
// so that it did not have its sandbox before.
func startedByEvents(p *triage.Pass, f *triage.Failure, node string) (triage.End, bool) {
	if ofPod(p, f) != nil || !keepsAll(p, f) {
		return triage.End{}, false
	}
	return placedAndStarted(p, f, node)
}

// placedAndStarted looks for the events of another pod that was placed on the node and started there, both after a failure.
func placedAndStarted(p *triage.Pass, f *triage.Failure, node string) (triage.End, bool) {
	later := func(e *evidence.Event) bool { return !f.Last.IsZero() && e.Last.After(f.Last) }
	if f.Event != nil {
		later = func(e *evidence.Event) bool { return timeline.EventLater(e, f.Event) }
	}
	placed := map[evidence.Subject]bool{}
	for _, e := range p.Snapshot.Events() {
		if e.Reason == "Scheduled" && later(e) {
			placed[e.Object] = true
		}
	}
	for _, e := range p.Snapshot.Events() {
		if e.Reason != "Started" || !placed[e.Object] || e.Object == f.Subject {
			continue
		}
		if there := cmp.Or(e.Host, p.Snapshot.NodeOf(e.Object)); there != node || !later(e) {
			continue
		}
		if hasOwnNetwork(p, e.Object) {
			return triage.End{By: e.Object.String() + " was placed there later and started at " + timeline.Stamp(e.Last), At: e.Last}, true
		}
	}
	return triage.End{}, false
}

// hasOwnNetwork reports whether a pod gets a network from the plugin. Where its template was not read, pods of the system may be agents that
// use the network of the node.
func hasOwnNetwork(p *triage.Pass, about evidence.Subject) bool {
	if read := p.Snapshot.Pod(about.Namespace, about.Name); read != nil && read.Spec != nil {
		return sameSandbox(nil, read)
	}
	return !evidence.SystemNamespace(about.Namespace)
}

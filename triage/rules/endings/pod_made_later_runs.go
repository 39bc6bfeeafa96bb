package endings

import (
	"cmp"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/doubts"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// PodMadeLaterRuns resolves a problem that kept a pod from starting or its sandbox from stopping. A newer pod on the same node must
// run and have needed the same. It is better proof than the failed pod, whose next attempt may not have been recorded, or which no
// longer exists.
var PodMadeLaterRuns = &triage.Ending{
	ID:    "pod-made-later-runs",
	Doc:   "A pod with the same requirement, created on the node after the event, is running.",
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
				return triage.End{By: "pod " + other.Key() + ", created later, has been running on the node since " + timeline.Stamp(other.Started), At: other.Started}, true
			}
		}
		return startedByEvents(p, f, node)
	},
}

// nodeOfStart returns the node on which a pod could not start: from the pod, or from the reporter if the pod was not read.
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

// neededTheSame reports whether the running pod has what the failed pod needed. It has a sandbox with a network if the failure
// affects every pod, or everything in the same pod template if it replaces the failed pod.
func neededTheSame(p *triage.Pass, f *triage.Failure, other *evidence.Pod) bool {
	failed := ofPod(p, f)
	if keepsAll(p, f) && sameSandbox(failed, other) {
		return true
	}
	return failed == nil && takesPlaceOf(f.Subject, other) && facts.ReasonOf(f.Match) != "FailedKillPod"
}

// keepsAll reports whether a sandbox failure affects every pod of the node. It also does if it is old and its pod was not read,
// because it then describes all pods of that time.
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

// startedByEvents is for a newer pod that was not read. Its events show that it was placed on the node and started after the
// failure, so its sandbox is newer too.
func startedByEvents(p *triage.Pass, f *triage.Failure, node string) (triage.End, bool) {
	if ofPod(p, f) != nil || !keepsAll(p, f) {
		return triage.End{}, false
	}
	return placedAndStarted(p, f, node)
}

// placedAndStarted finds the events of another pod that was placed on the node and started there, both after a failure.
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
			return triage.End{By: e.Object.String() + " was scheduled to the node later and started at " + timeline.Stamp(e.Last), At: e.Last}, true
		}
	}
	return triage.End{}, false
}

// hasOwnNetwork reports whether a pod gets its network from the plugin. Without its template, pods in system namespaces may be
// agents on the host network.
func hasOwnNetwork(p *triage.Pass, about evidence.Subject) bool {
	if read := p.Snapshot.Pod(about.Namespace, about.Name); read != nil && read.Spec != nil {
		return sameSandbox(nil, read)
	}
	return !evidence.SystemNamespace(about.Namespace)
}

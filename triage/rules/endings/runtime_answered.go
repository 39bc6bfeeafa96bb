package endings

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// RuntimeAnswered resolves an event about a runtime socket without a server, if a later event shows that the runtime answered the
// kubelet.
var RuntimeAnswered = &triage.Ending{
	ID:    "runtime-answered",
	Doc:   "A later event of a pod of the node shows that the container runtime answered the kubelet.",
	Texts: events, Dated: true, OfNode: true,
	Reads: []evidence.Kind{evidence.Nodes, evidence.Pods, evidence.Events},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		if ofPod(p, f) == nil || !silentRuntime(f) {
			return triage.End{}, false
		}
		for _, other := range p.Snapshot.PodsOn(f.Node) {
			for _, e := range p.Snapshot.EventsOf(other.Subject()) {
				if e.Last.After(f.Last) && ofAnswer(e) {
					return triage.End{By: "the runtime answered its kubelet at " + timeline.Stamp(e.Last), At: e.Last}, true
				}
			}
		}
		return triage.End{}, false
	},
}

// ofAnswer reports whether an event shows an answer of the runtime: it created or started a container, or returned an error.
func ofAnswer(e *evidence.Event) bool {
	refused := facts.NodeKeeps[e.Reason] != "" && runtimeAnswer.MatchString(e.Message)
	return refused || e.Reason == "Created" || e.Reason == "Started"
}

// runtimeAnswer matches errors that the runtime itself returned. If nothing serves the socket, the code is Unavailable.
var runtimeAnswer = lazyregexp.New(`rpc error: code = (?:Unknown|NotFound|AlreadyExists|InvalidArgument|FailedPrecondition|Internal)\b`)

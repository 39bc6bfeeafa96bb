package endings

import (
	"slices"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// PodStartedThere resolves problems that keep pods from starting, if a pod started on the node after the log line.
var PodStartedThere = &triage.Ending{
	ID:    "pod-started-there",
	Doc:   "A pod was started on the node after the message, which is impossible during this problem.",
	Texts: logs, Dated: true, OfNode: true,
	Reads: objects,
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		n := readyBeside(p, f)
		if n == nil || periodic(f) || !hindersPods(p, f.Says) {
			return triage.End{}, false
		}
		for _, pod := range p.Snapshot.PodsOn(n.Name) {
			if at := startOf(pod); timeline.CameLater(p.Snapshot, at, f.Last) {
				return triage.End{By: "pod " + pod.Key() + " was started on the node at " + timeline.Stamp(at), At: at}, true
			}
		}
		return triage.End{}, false
	},
}

// hindersPods reports whether a problem itself keeps pods from starting or stopping. A problem that does so only through another
// one may last while pods start.
func hindersPods(p *triage.Pass, says string) bool {
	cause := p.Catalog.Cause(says)
	if cause == nil || cause.Lasts != "" {
		return p.Catalog.Keeps(says) == catalog.Pods
	}
	return cause.Keeps == catalog.Pods || slices.ContainsFunc(cause.Explains, func(symptom string) bool {
		return symptom == "pods-not-starting" || symptom == "pods-not-stopping" || symptom == "sandbox-create-failed"
	})
}

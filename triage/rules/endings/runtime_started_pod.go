package endings

import (
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// RuntimeStartedPod resolves problems of a runtime that has started a pod since.
var RuntimeStartedPod = &triage.Ending{
	ID:    "runtime-started-pod",
	Doc:   "The runtime in the event has started a pod later, and the node is Ready.",
	Texts: events, Dated: true,
	Reads: []evidence.Kind{evidence.Nodes, evidence.Pods},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		n := ofNode(p, f)
		if n == nil || n.Ready() != evidence.True || !strings.HasPrefix(f.Says, "runtime-") {
			return triage.End{}, false
		}
		for _, pod := range p.Snapshot.PodsOn(n.Name) {
			if at := startOf(pod); timeline.CameLater(p.Snapshot, at, f.Last) {
				return triage.End{By: "the runtime started pod " + pod.Key() + " at " + timeline.Stamp(at), At: at}, true
			}
		}
		return triage.End{}, false
	},
}

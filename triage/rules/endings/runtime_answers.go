package endings

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// RuntimeAnswers resolves a runtime that did not answer, if it answered a later node report. The report must be late enough that
// the message would have come again.
var RuntimeAnswers = &triage.Ending{
	ID:     "runtime-answers",
	Doc:    "The container runtime answers in a later report of the node.",
	Ends:   []string{"runtime-call"},
	OfNode: true, Dated: true,
	Reads: []evidence.Kind{evidence.NodeReports},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		if p.Catalog.Keeps(f.Says) != catalog.Answering {
			return triage.End{}, false
		}
		for _, r := range p.Snapshot.Reports(f.Node) {
			if runtimeOK(r.Runtime) && r.TakenAt.Sub(f.Last) > timeline.Again(f.Match) {
				return triage.End{By: "the runtime answered at " + timeline.Stamp(r.TakenAt), At: r.TakenAt}, true
			}
		}
		return triage.End{}, false
	},
}

func runtimeOK(rt *nodereport.Runtime) bool {
	return rt != nil && rt.Answer == "ok" && (rt.RuntimeReady == nil || *rt.RuntimeReady)
}

package endings

import (
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// EvictedBefore resolves an eviction from before the problem of the node began.
var EvictedBefore = &triage.Ending{
	ID:    "evicted-before",
	Doc:   "The pod was evicted before the problem of its node started, and the node has no pressure.",
	Texts: ofPods,
	Reads: []evidence.Kind{evidence.Nodes, evidence.Pods},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		pod, n := failedPod(p, f)
		if pod == nil || !underPressure(f, pod, n) {
			return triage.End{}, false
		}
		since, evicted := facts.Since(n), evictedAt(pod)
		dated := !evicted.IsZero() && !since.IsZero()
		return triage.End{By: "the pod was evicted before the problem of node " + n.Name + " began", At: evicted}, dated && evicted.Before(since.Add(-time.Minute))
	},
}

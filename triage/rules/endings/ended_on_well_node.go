package endings

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// EndedOnWellNode resolves the failure of a pod whose node is healthy now.
var EndedOnWellNode = &triage.Ending{
	ID:    "ended-on-well-node",
	Doc:   "The pod has ended, and its node is healthy.",
	Texts: ofPods,
	Reads: []evidence.Kind{evidence.Nodes, evidence.Pods},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		pod, n := failedPod(p, f)
		if pod == nil || n.Ready() != evidence.True || facts.Troubled(n) {
			return triage.End{}, false
		}
		return triage.End{By: "node " + n.Name + " is healthy, and the pod has ended", At: pod.Ended}, true
	},
}

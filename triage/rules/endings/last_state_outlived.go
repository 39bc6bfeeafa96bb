package endings

import (
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// LastStateOutlived resolves the last termination of a container whose pod has worked again for a while.
var LastStateOutlived = &triage.Ending{
	ID:    "last-state-outlived",
	Doc:   "The pod has been running for a while since the container exit in its status.",
	Texts: statuses,
	Reads: []evidence.Kind{evidence.Pods},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		pod := readyPod(p, f)
		if pod == nil || !strings.HasSuffix(f.Ref.Locator, "last state") {
			return triage.End{}, false
		}
		age, known := p.Age(pod.ReadySince)
		return triage.End{By: "pod " + pod.Key() + " has been running for " + wording.Duration(age), At: pod.ReadySince}, known && age > facts.SettledFor
	},
}

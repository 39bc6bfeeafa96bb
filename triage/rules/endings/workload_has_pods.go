package endings

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// WorkloadHasPods resolves a controller's failures to create pods for a workload that now has all its pods.
var WorkloadHasPods = &triage.Ending{
	ID:    "workload-has-pods",
	Doc:   "The workload now has all pods that its controller could not create.",
	Texts: events,
	Reads: []evidence.Kind{evidence.Workloads},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		w := p.Snapshot.Workload(f.Subject.Kind, f.Subject.Namespace, f.Subject.Name)
		if w == nil || w.Partial || f.Speaker != logline.Controllers {
			return triage.End{}, false
		}
		return triage.End{By: fmt.Sprintf("%s has all its %s", f.Subject, wording.Count(w.Replicas, "pod"))}, w.Replicas >= 0 && w.Current >= w.Replicas
	},
}

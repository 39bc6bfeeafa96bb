package endings

import (
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// firstStatistics is how long after its start a kubelet may have no statistics of the image file system (containerd collects them
// every 10 s: pkg/cri/config stats_collect_period).
const firstStatistics = 10 * time.Second

// BeforeFirstStatistics resolves the event that a kubelet writes at its start, before the runtime has statistics of its images.
var BeforeFirstStatistics = &triage.Ending{
	ID:    "before-first-statistics",
	Doc:   "A kubelet that just started reports image file system capacity 0 until the runtime has statistics, and the node is Ready.",
	Texts: events,
	Reads: []evidence.Kind{evidence.Nodes, evidence.Events},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		if f.Event == nil || f.Event.Reason != "InvalidDiskCapacity" || f.Event.Count > 2 {
			return triage.End{}, false
		}
		of := timeline.OfObject(p.Snapshot, f.Event)
		start := slices.IndexFunc(of, func(e *evidence.Event) bool {
			gap, known := timeline.Between(e, f.Event)
			return e.Reason == "Starting" && known && gap.Abs() <= firstStatistics
		})
		if start < 0 || !readyByEvents(of) {
			return triage.End{}, false
		}
		return triage.End{By: "the kubelet had just started, without statistics of the images yet, and the node is Ready", At: f.Event.Last}, true
	},
}

// readyByEvents reports whether the events of a node show that it became Ready, and none shows that it stopped being so.
func readyByEvents(list []*evidence.Event) bool {
	has := func(reason string) bool {
		return slices.ContainsFunc(list, func(e *evidence.Event) bool { return e.Reason == reason })
	}
	return has("NodeReady") && !has("NodeNotReady")
}

package endings

import (
	"fmt"
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// starts are the reasons of events that a kubelet or kube-proxy writes when its machine has started (kubernetes pkg/kubelet/events/event.go,
// cmd/kube-proxy/app/server.go v1.36). A machine that shuts down writes neither.
var starts = []string{"Starting", "Rebooted"}

// MachineStarted resolves the shutdown of a machine on which a program of the node started later.
var MachineStarted = &triage.Ending{
	ID:    "machine-started",
	Doc:   "The kubelet or kube-proxy of the node started after the shutdown of the machine.",
	Ends:  []string{"machine"},
	Texts: events,
	Reads: []evidence.Kind{evidence.Events},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		if f.Event == nil || f.Says != "machine-off" {
			return triage.End{}, false
		}
		for _, e := range timeline.OfObject(p.Snapshot, f.Event) {
			if slices.Contains(starts, e.Reason) && timeline.EventLater(e, f.Event) {
				return triage.End{By: fmt.Sprintf("%s started on the node%s", e.Component, timeline.When(e)), At: e.Last}, true
			}
		}
		return triage.End{}, false
	},
}

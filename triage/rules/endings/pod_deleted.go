package endings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// PodDeleted resolves the failure to place a pod that its controller deleted later. A pod without a node has no kubelet to wait
// for, so it is gone at once.
var PodDeleted = &triage.Ending{
	ID:    "pod-deleted",
	Doc:   "The controller of the pod that had no node deleted it later.",
	Texts: events,
	Reads: []evidence.Kind{evidence.Events},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		waits := f.Speaker == logline.Scheduler || f.Speaker == logline.Autoscaler
		if f.Event == nil || f.Subject.Kind != "Pod" || !waits {
			return triage.End{}, false
		}
		for _, e := range p.Snapshot.Events() {
			named := e.Reason == "SuccessfulDelete" && byController(e) && e.Object.Namespace == f.Subject.Namespace && names(e.Message, f.Subject.Name)
			if named && timeline.EventLater(e, f.Event) {
				return triage.End{By: fmt.Sprintf("%s deleted the pod%s", e.Object, timeline.When(e)), At: e.Last}, true
			}
		}
		return triage.End{}, false
	},
}

// names reports whether a name is a word of a message.
func names(message, name string) bool { return slices.Contains(strings.Fields(message), name) }

// byController reports whether a controller of pods wrote the event: its component has the name of the kind (the controllers of
// kube-controller-manager v1.36). A table does not show who wrote it.
func byController(e *evidence.Event) bool {
	kind := strings.TrimSuffix(e.Object.Kind, "Controller") // of ReplicationController
	known := slices.Contains([]string{"ReplicaSet", "StatefulSet", "DaemonSet", "Job", "Replication"}, kind)
	return known && (e.Component == "" || e.Component == strings.ToLower(kind)+"-controller")
}

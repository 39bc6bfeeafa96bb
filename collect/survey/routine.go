package survey

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
)

// maxEvents bounds the events of a whole cluster; one takes about half a kilobyte. Events about nodes are always kept.
const maxEvents = 100_000

// routine are reasons of Normal events that every pod and workload causes. In a big cluster they are nearly all events, and they
// show no problem.
var routine = map[string]bool{
	"Scheduled": true, "Pulling": true, "Pulled": true, "Created": true, "Started": true,
	"SuccessfulCreate": true, "ScalingReplicaSet": true, "Completed": true, "SawCompletedJob": true,
	"LeaderElection": true, "SuccessfulRescale": true,
}

// telling reports whether to keep an event: all about nodes, all warnings, and other events that are not routine. Events of
// nodetriage-controller are no evidence.
func telling(e *corev1.Event) bool {
	if e.Source.Component == evidence.Controller {
		return false
	}
	return e.InvolvedObject.Kind == "Node" || e.Type != corev1.EventTypeNormal || !routine[e.Reason]
}

// allEvents reads the useful events of the cluster, up to the bound.
func (s *survey) allEvents(ctx context.Context) {
	kept, dropped := 0, 0
	o := list(ctx, s, evidence.Events, kube.Events, kube.Query{}, func(e *corev1.Event) bool {
		switch {
		case !telling(e):
			return false
		case kept >= maxEvents && e.InvolvedObject.Kind != "Node":
			dropped++
			return false
		}
		kept++
		return true
	})
	if dropped > 0 {
		o.all = false
		s.builder.Incomplete(evidence.Events, fmt.Sprintf("%d further events", dropped), fmt.Sprintf("at most %d are kept", maxEvents), "kubectl get events -A --field-selector type!=Normal")
	}
	s.note(o)
}

package collect

import corev1 "k8s.io/api/core/v1"

// routine are reasons of Normal events that every pod and workload leaves behind: in a big cluster they are
// nearly all events, and they tell of nothing wrong.
var routine = map[string]bool{
	"Scheduled": true, "Pulling": true, "Pulled": true, "Created": true, "Started": true,
	"SuccessfulCreate": true, "ScalingReplicaSet": true, "Completed": true, "SawCompletedJob": true,
	"LeaderElection": true, "SuccessfulRescale": true,
}

// telling tells whether an event is worth keeping: all about nodes, all warnings, and what is not routine.
func telling(e *corev1.Event) bool {
	return e.InvolvedObject.Kind == "Node" || e.Type != corev1.EventTypeNormal || !routine[e.Reason]
}

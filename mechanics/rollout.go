package mechanics

import "github.com/nodetriage/nodetriage/evidence"

// RollsOut reports whether a controller replaces its existing pods after a change of its pod template. ReplicaSets and
// ReplicationControllers never do, nor does a controller with the update strategy OnDelete: only pods that are created
// later have the change (getAllDaemonSetPods and rollingUpdate of pkg/controller/daemon/update.go; updateStatefulSet of
// pkg/controller/statefulset/stateful_set_control.go; pkg/controller/deployment/rolling.go; v1.36.3). The workload may be
// nil if it is not in the evidence: the defaults then count.
func RollsOut(kind string, w *evidence.Workload) bool {
	switch kind {
	case "Deployment":
		return w == nil || !w.Paused
	case "StatefulSet", "DaemonSet":
		return w == nil || !w.OnDelete
	}
	return false
}

// RollsOutUnready reports whether the controller then also replaces a pod that is not ready. A StatefulSet first waits
// until its pods are ready, so such a pod must be deleted ("Forced rollback" in the documentation of StatefulSets).
func RollsOutUnready(kind string, w *evidence.Workload) bool {
	return RollsOut(kind, w) && OfKind(kind) != WhenGone
}

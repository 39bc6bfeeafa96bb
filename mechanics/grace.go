package mechanics

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/bounds"
)

// Longest is the maximum duration of a number of seconds in the API.
const Longest = bounds.Longest

// Seconds converts seconds of the API, which may exceed a Duration.
func Seconds(n int64) time.Duration {
	return bounds.Times(max(n, 0), time.Second)
}

// GracePeriod returns how long containers may take to stop before the kubelet kills them: the value of the deletion,
// else of the pod spec, else 30 s (calculateEffectiveGracePeriod of pkg/kubelet/pod_workers.go, v1.36.3).
func GracePeriod(p *evidence.Pod) time.Duration {
	switch {
	case p.Deleting() && p.Grace > 0:
		return Seconds(p.Grace)
	case p.Spec != nil && p.Spec.TerminationGracePeriodSeconds != nil:
		return Seconds(*p.Spec.TerminationGracePeriodSeconds)
	}
	return corev1.DefaultTerminationGracePeriodSeconds * time.Second
}

// HookSleep returns the longest sleep of the preStop hooks, which is part of the grace period. The duration of other
// hooks is unknown (killContainer of pkg/kubelet/kuberuntime/kuberuntime_container.go, v1.36.3).
func HookSleep(p *evidence.Pod) (most time.Duration) {
	if p.Spec == nil {
		return 0
	}
	for _, c := range p.Spec.Containers {
		if l := c.Lifecycle; l != nil && l.PreStop != nil && l.PreStop.Sleep != nil {
			most = max(most, Seconds(l.PreStop.Sleep.Seconds))
		}
	}
	return most
}

// ForceDetach is the time until the attach-detach controller force-detaches a volume from a NotReady node that does not
// unmount it. It starts when the pod has terminated (DefaultTimerConfig of
// pkg/controller/volume/attachdetach/attach_detach_controller.go, v1.36.3).
const ForceDetach = 6 * time.Minute

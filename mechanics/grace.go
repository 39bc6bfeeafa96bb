package mechanics

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/bounds"
)

// Longest is the longest time that a number of seconds of the API becomes.
const Longest = bounds.Longest

// Seconds converts seconds of the API, which may be more than a Duration holds.
func Seconds(n int64) time.Duration {
	return bounds.Times(max(n, 0), time.Second)
}

// GracePeriod is how long the kubelet lets the pod's containers end before it kills them: what the deletion said, else what
// the pod asks for, else 30 s
// (calculateEffectiveGracePeriod of pkg/kubelet/pod_workers.go, v1.36.3).
func GracePeriod(p *evidence.Pod) time.Duration {
	switch {
	case p.Deleting() && p.Grace > 0:
		return Seconds(p.Grace)
	case p.Spec != nil && p.Spec.TerminationGracePeriodSeconds != nil:
		return Seconds(*p.Spec.TerminationGracePeriodSeconds)
	}
	return corev1.DefaultTerminationGracePeriodSeconds * time.Second
}

// HookSleep is the longest sleep of the pod's preStop hooks, which is part of the grace period. What other hooks take is
// not known
// (killContainer of pkg/kubelet/kuberuntime/kuberuntime_container.go, v1.36.3).
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

// ForceDetach is after how long the attach-detach controller takes a volume from a node that is not Ready and does not
// unmount it. It begins when the pod has ended
// (DefaultTimerConfig of pkg/controller/volume/attachdetach/attach_detach_controller.go, v1.36.3).
const ForceDetach = 6 * time.Minute

package evidence

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// PodStatus returns the STATUS column of kubectl get pods. It mirrors printPod of kubernetes/kubernetes
// pkg/printers/internalversion/printers.go, v1.36.3.
func PodStatus(p *corev1.Pod) string {
	status := cmp.Or(p.Status.Reason, string(p.Status.Phase))
	if gated(p) {
		status = corev1.PodReasonSchedulingGated
	}
	init := initStatus(p)
	if init != "" {
		status = init
	}
	if init == "" || conditionTrue(p, corev1.PodInitialized) {
		status = containerStatus(p, status)
	}
	return deletionStatus(p, status)
}

func gated(p *corev1.Pod) bool {
	return slices.ContainsFunc(p.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodScheduled && c.Reason == corev1.PodReasonSchedulingGated
	})
}

// initStatus returns the status of the first init container that is not done; "": all of them are.
func initStatus(p *corev1.Pod) string {
	sidecar := map[string]bool{}
	for _, c := range p.Spec.InitContainers {
		sidecar[c.Name] = c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways
	}
	for i, c := range p.Status.InitContainerStatuses {
		switch {
		case c.State.Terminated != nil && c.State.Terminated.ExitCode == 0:
			continue
		case sidecar[c.Name] && c.Started != nil && *c.Started:
			continue
		case c.State.Terminated != nil:
			return "Init:" + terminated(c.State.Terminated)
		case c.State.Waiting != nil && c.State.Waiting.Reason != "" && c.State.Waiting.Reason != "PodInitializing":
			return "Init:" + c.State.Waiting.Reason
		}
		return fmt.Sprintf("Init:%d/%d", i, len(p.Spec.InitContainers))
	}
	return ""
}

// containerStatus returns the status of the first container that is waiting or terminated, or else the status of the pod.
func containerStatus(p *corev1.Pod, status string) string {
	running := false
	for _, c := range slices.Backward(p.Status.ContainerStatuses) {
		switch {
		case c.State.Waiting != nil && c.State.Waiting.Reason != "":
			status = c.State.Waiting.Reason
		case c.State.Terminated != nil:
			status = terminated(c.State.Terminated)
		case c.Ready && c.State.Running != nil:
			running = true
		}
	}
	switch {
	case status != "Completed" || !running:
		return status
	case conditionTrue(p, corev1.PodReady):
		return "Running"
	}
	return "NotReady"
}

// deletionStatus returns the status of a pod that is being deleted, or else the given one.
func deletionStatus(p *corev1.Pod, status string) string {
	switch {
	case p.DeletionTimestamp == nil:
		return status
	case p.Status.Reason == "NodeLost":
		return "Unknown"
	case p.Status.Phase != corev1.PodFailed && p.Status.Phase != corev1.PodSucceeded:
		return "Terminating"
	}
	return status
}

func terminated(t *corev1.ContainerStateTerminated) string {
	switch {
	case t.Reason != "":
		return t.Reason
	case t.Signal != 0:
		return fmt.Sprintf("Signal:%d", t.Signal)
	}
	return fmt.Sprintf("ExitCode:%d", t.ExitCode)
}

func conditionTrue(p *corev1.Pod, typ corev1.PodConditionType) bool {
	for _, c := range p.Status.Conditions {
		if c.Type == typ {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

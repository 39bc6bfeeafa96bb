package hollow

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// bootTime is the time that a starting kubelet reports not ready.
const bootTime = 3 * time.Second

// Boot starts a silent node like a machine that was off: it has another boot ID, is not ready until its runtime is up,
// and restarts its containers.
func (n *Node) Boot() {
	n.mu.Lock()
	n.boot = fmt.Sprintf("boot-%s-%d", n.opt.Name, time.Now().UnixNano())
	n.mu.Unlock()
	n.Condition(corev1.NodeReady, corev1.ConditionFalse, "KubeletNotReady", "container runtime status check may not have completed yet")
	n.live(true)
	n.mu.Lock()
	finished := n.finished
	n.mu.Unlock()
	finished.Go(func() {
		time.Sleep(bootTime)
		n.Well()
		n.Look()
	})
}

// Look makes the node check itself now, and post changes.
func (n *Node) Look() {
	select {
	case n.look <- struct{}{}:
	default: // a check is already due
	}
}

// Mounted sets volumesInUse of the node.
func (n *Node) Mounted(volumes ...corev1.UniqueVolumeName) {
	n.mu.Lock()
	n.mounted = volumes
	n.mu.Unlock()
	n.Look()
}

// Shutdown ends the node like a kubelet with shutdownGracePeriod at power-off: it is not ready, its pods end as Failed,
// and it stops (pkg/kubelet/nodeshutdown/nodeshutdown_manager_linux.go v1.36.3).
func (n *Node) Shutdown(ctx context.Context) error {
	n.Condition(corev1.NodeReady, corev1.ConditionFalse, "KubeletNotReady", "node is shutting down")
	n.Look()
	list, err := n.client.CoreV1().Pods(metav1.NamespaceAll).List(ctx, metav1.ListOptions{FieldSelector: "spec.nodeName=" + n.opt.Name})
	if err != nil {
		return fmt.Errorf("list pods of node %s: %w", n.opt.Name, err)
	}
	if !wait(ctx, stopTime) {
		return ctx.Err()
	}
	for i := range list.Items {
		if err := n.terminate(ctx, &list.Items[i]); err != nil {
			return err
		}
	}
	n.Silence()
	return nil
}

func (n *Node) terminate(ctx context.Context, pod *corev1.Pod) error {
	if terminal(pod) {
		return nil
	}
	now, s := metav1.Now(), &pod.Status
	s.Phase, s.Reason, s.Message = corev1.PodFailed, "Terminated", "Pod was terminated in response to imminent node shutdown."
	for i := range s.ContainerStatuses {
		c := &s.ContainerStatuses[i]
		c.Ready, c.State = false, corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: "Error", ExitCode: 143, FinishedAt: now}}
	}
	podCondition(s, corev1.DisruptionTarget, corev1.ConditionTrue, now)
	podCondition(s, corev1.ContainersReady, corev1.ConditionFalse, now)
	podCondition(s, corev1.PodReady, corev1.ConditionFalse, now)
	if _, err := n.client.CoreV1().Pods(pod.Namespace).UpdateStatus(ctx, pod, metav1.UpdateOptions{}); err != nil {
		return fmt.Errorf("end pod %s/%s: %w", pod.Namespace, pod.Name, err)
	}
	return nil
}

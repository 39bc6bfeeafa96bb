package mechanics

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// DaemonRunsOn reports whether a DaemonSet with this template needs a pod on the node, and whether an existing pod may
// stay. A NoSchedule taint keeps existing pods (NodeShouldRunDaemonPod of pkg/controller/daemon/daemon_controller.go,
// v1.36.3).
func DaemonRunsOn(template *corev1.PodSpec, node *evidence.Node) (wanted, stays bool) {
	if template.NodeName != "" && template.NodeName != node.Name || !Allows(template, node.Node) {
		return false, false
	}
	tolerations := DaemonTolerations(template)
	if Untolerated(tolerations, node.Spec.Taints) == nil {
		return true, true
	}
	for i := range node.Spec.Taints {
		if t := &node.Spec.Taints[i]; Evicts(t) && TolerationOf(tolerations, t) == nil {
			return false, false
		}
	}
	return false, true
}

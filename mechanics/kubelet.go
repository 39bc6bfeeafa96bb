package mechanics

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// unanswered are parts of the kubelet's message that say that its container runtime gives no answer
// (runtimeErrors of pkg/kubelet/runtime.go, v1.36.3).
var unanswered = []string{"container runtime is down", "container runtime status check may not have completed", "PLEG is not healthy"}

// RuntimeSilent reports whether the node's kubelet says that its container runtime does not answer: it can then neither see
// nor start nor end containers.
func RuntimeSilent(n *evidence.Node) bool {
	c := n.Condition(corev1.NodeReady)
	if c == nil || c.Status != corev1.ConditionFalse {
		return false
	}
	for _, text := range unanswered {
		if strings.Contains(c.Message, text) {
			return true
		}
	}
	return false
}

// EndsPods reports whether the node's kubelet ends the pods that are deleted, as far as the API tells: the control plane hears
// from it, and its runtime answers. Only a kubelet that has ended a pod's containers removes the pod's object
// (pkg/kubelet/status/status_manager.go canBeDeleted, v1.36.3).
func EndsPods(n *evidence.Node) bool { return !n.Silent() && !RuntimeSilent(n) }

package mechanics

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// RelistLimit is the age of the last relist at which the kubelet reports its PLEG as unhealthy (genericPlegRelistThreshold of
// pkg/kubelet/kubelet.go, v1.36.3).
const RelistLimit = 3 * time.Minute

// RuntimeWait is how long a kubelet reports Ready while its runtime does not answer (maxWaitForContainerRuntime of
// pkg/kubelet/kubelet.go, v1.36.3).
const RuntimeWait = 30 * time.Second

// unanswered are parts of kubelet messages about a container runtime that does not answer (runtimeErrors of
// pkg/kubelet/runtime.go, v1.36.3).
var unanswered = []string{"container runtime is down", "container runtime status check may not have completed", "PLEG is not healthy"}

// Signatures match the same words in logs. Here they are a field of the API with one meaning, so no message pattern decides.

// RuntimeSilent reports whether the kubelet of the node reports that its container runtime does not answer. It can then
// not list, start or stop containers.
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

// EndsPods reports whether the kubelet of the node stops terminating pods, as far as the API shows: it sends heartbeats
// and its runtime answers. Only a kubelet that has stopped the containers deletes the pod object
// (pkg/kubelet/status/status_manager.go canBeDeleted, v1.36.3).
func EndsPods(n *evidence.Node) bool { return !n.Silent() && !RuntimeSilent(n) }

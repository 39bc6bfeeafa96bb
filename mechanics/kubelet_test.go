package mechanics

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
)

func TestEndsPods(t *testing.T) {
	for _, c := range []struct {
		status  corev1.ConditionStatus
		message string
		want    bool
	}{
		{corev1.ConditionTrue, "kubelet is posting ready status", true},
		{corev1.ConditionUnknown, "Kubelet stopped posting node status.", false},
		{corev1.ConditionFalse, "container runtime is down", false},
		{corev1.ConditionFalse, "[container runtime status check may not have completed yet, PLEG is not healthy: pleg has yet to be successful]", false},
		{corev1.ConditionFalse, "container runtime network not ready: NetworkReady=false", true},
		{"", "", true},
	} {
		n := node("a", nil)
		if c.status != "" {
			n.Node.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: c.status, Message: c.message}}
		}
		if got := EndsPods(n); got != c.want {
			t.Errorf("Ready=%s, %q: %v", c.status, c.message, got)
		}
	}
}

package survey

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// Only the reports of two healthy nodes of the pool are read.
func TestPeersOf(t *testing.T) {
	d := &evidence.Data{}
	add := func(name, pool string, ready corev1.ConditionStatus) {
		d.Nodes = append(d.Nodes, &evidence.Node{Node: &corev1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"agentpool": pool}},
			Status:     corev1.NodeStatus{Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: ready}}},
		}})
	}
	add("a", "np1", corev1.ConditionFalse)
	add("z", "np1", corev1.ConditionTrue)
	add("b", "np1", corev1.ConditionFalse)
	add("c", "np2", corev1.ConditionTrue)
	add("d", "np1", corev1.ConditionTrue)
	add("e", "np1", corev1.ConditionTrue)
	add("f", "np1", corev1.ConditionTrue)
	if got := peersOf(d, "a", []string{"a", "d"}); !slices.Equal(got, []string{"e", "f"}) {
		t.Errorf("peers of a: %v", got)
	}
	if got := peersOf(d, "gone", nil); got != nil {
		t.Errorf("peers of a node that was not read: %v", got)
	}
}

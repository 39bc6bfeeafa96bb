package guard

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func pod(name string, ready corev1.ConditionStatus) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name), Labels: map[string]string{"app": "web"}},
		Status: corev1.PodStatus{Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: ready}}}}
}

func watching() *Guard {
	two := intstr.FromInt32(2)
	g := &Guard{pods: map[types.UID]*corev1.Pod{}, budgets: map[string]budget{}, deleted: map[types.UID]time.Time{},
		report: Report{Deleted: map[string]int{}, Lowest: map[string]int{}}}
	g.budget(&policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Name: "web"}, Spec: policyv1.PodDisruptionBudgetSpec{
		MinAvailable: &two, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}}}, false)
	for _, name := range []string{"a", "b"} {
		g.pod(pod(name, corev1.ConditionTrue), false)
	}
	g.pod(pod("c", corev1.ConditionFalse), false)
	return g
}

func TestOneGoesTooMany(t *testing.T) {
	g := watching()
	g.pod(pod("a", corev1.ConditionTrue), true)
	if len(g.report.Violations) != 1 || g.report.Lowest["/web"] != 1 {
		t.Errorf("%+v", g.report)
	}
}

// A list after a gap is one point in time: a was deleted, and c had become ready before.
func TestListIsOneMoment(t *testing.T) {
	g := watching()
	g.allPods([]any{pod("a", corev1.ConditionFalse), pod("b", corev1.ConditionTrue), pod("c", corev1.ConditionTrue)})
	if len(g.report.Violations) > 0 || g.report.Lowest["/web"] != 2 {
		t.Errorf("%+v", g.report)
	}
	g.allPods([]any{pod("b", corev1.ConditionTrue)})
	if len(g.report.Violations) != 1 {
		t.Errorf("%+v", g.report)
	}
}

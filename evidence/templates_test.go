package evidence

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// Pods whose specs have their parts in common, as a list gives them, share one trimmed spec; one that differs in a toleration alone does not.
func TestFromPodSharesSpecs(t *testing.T) {
	containers := []corev1.Container{{Name: "web", Image: "web:1", Env: []corev1.EnvVar{{Name: "PASSWORD", Value: "x"}}}}
	pod := func(node string, tolerations ...corev1.Toleration) *corev1.Pod {
		return &corev1.Pod{Spec: corev1.PodSpec{NodeName: node, Containers: containers, Tolerations: tolerations}}
	}
	templates := NewTemplates()
	a, b := templates.FromPod(pod("worker-1")), templates.FromPod(pod("worker-2"))
	c := templates.FromPod(pod("worker-2", corev1.Toleration{Operator: corev1.TolerationOpExists}))
	d := templates.FromPod(pod("worker-3"))
	if a.Spec != b.Spec || a.Spec != d.Spec || a.Spec == c.Spec || len(c.Spec.Tolerations) != 1 {
		t.Error("not the pods of one template alone share their spec")
	}
	if a.Node != "worker-1" || b.Node != "worker-2" || a.Spec.NodeName != "" || len(a.Spec.Containers[0].Env) > 0 {
		t.Errorf("%+v %+v", a, b)
	}
}

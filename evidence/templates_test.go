package evidence

import (
	"encoding/json"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Pods in a list with equal parts share one trimmed spec; a pod with another toleration does not.
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

// A Pod keeps no reference to memory that the list reuses.
func TestFromPodKeepsNoMemory(t *testing.T) {
	if !index().objects["Pod"].Copied {
		t.Fatal("pods are not read so")
	}
	ended := corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: "Error", ExitCode: 1}}
	pod := corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-0", Labels: map[string]string{"app": "web"}, Finalizers: []string{"a/b"}},
		Spec:       corev1.PodSpec{NodeName: "worker-1", Containers: []corev1.Container{{Name: "web", Image: "web:1"}}},
		Status: corev1.PodStatus{
			Phase: corev1.PodRunning, Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionFalse, Reason: "Slow"}},
			ContainerStatuses: []corev1.ContainerStatus{{Name: "web", State: ended, LastTerminationState: ended,
				AllocatedResources: corev1.ResourceList{"cpu": resource.MustParse("2")}, Resources: &corev1.ResourceRequirements{}}},
			InitContainerStatuses: []corev1.ContainerStatus{{Name: "init", State: ended}},
		},
	}
	kept := NewTemplates().FromPod(&pod)
	want, err := json.Marshal(kept)
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range [][]corev1.ContainerStatus{pod.Status.ContainerStatuses, pod.Status.InitContainerStatuses} {
		clear(list)
	}
	clear(pod.Status.Conditions)
	pod = corev1.Pod{}
	if got, err := json.Marshal(kept); err != nil || string(got) != string(want) {
		t.Errorf("%v\nwas    %s\nbecame %s", err, want, got)
	}
	if len(kept.Conditions) == 0 || len(kept.Containers) != 2 || len(kept.Resized) == 0 {
		t.Errorf("the pod does not have what is tried: %+v", kept)
	}
}

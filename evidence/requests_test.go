package evidence_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/nodetriage/nodetriage/evidence"
)

func container(cpu string, sidecar bool) corev1.Container {
	c := corev1.Container{Resources: corev1.ResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)},
	}}
	if sidecar {
		always := corev1.ContainerRestartPolicyAlways
		c.RestartPolicy = &always
	}
	return c
}

func TestRequestsAreWhatTheSchedulerBooks(t *testing.T) {
	app := container("100m", false)
	for name, tc := range map[string]struct {
		spec corev1.PodSpec
		want int64 // millicores
	}{
		"containers add up":     {corev1.PodSpec{Containers: []corev1.Container{app, container("250m", false)}}, 350},
		"sidecars run beside":   {corev1.PodSpec{InitContainers: []corev1.Container{container("50m", true)}, Containers: []corev1.Container{app}}, 150},
		"a large start decides": {corev1.PodSpec{InitContainers: []corev1.Container{container("50m", true), container("1", false)}, Containers: []corev1.Container{app}}, 1050},
		"a start before it":     {corev1.PodSpec{InitContainers: []corev1.Container{container("120m", false), container("50m", true)}, Containers: []corev1.Container{app}}, 150},
		"the pod's own count": {corev1.PodSpec{
			Resources:  &corev1.ResourceRequirements{Requests: app.Resources.Requests},
			Containers: []corev1.Container{container("3", false)},
			Overhead:   corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("10m")},
		}, 110},
	} {
		t.Run(name, func(t *testing.T) {
			got := evidence.Requests(&tc.spec)[corev1.ResourceCPU]
			if got.MilliValue() != tc.want {
				t.Errorf("got %dm, want %dm", got.MilliValue(), tc.want)
			}
			if again := evidence.Requests(&tc.spec)[corev1.ResourceCPU]; again.Cmp(got) != 0 {
				t.Error("counting changed the spec, which is shared")
			}
		})
	}
}

package mechanics

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

func TestClaimOf(t *testing.T) {
	p := &evidence.Pod{Name: "db-0", Namespace: "shop"}
	for want, source := range map[string]corev1.VolumeSource{
		"data":         {PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data"}},
		"db-0-scratch": {Ephemeral: &corev1.EphemeralVolumeSource{}},
		"":             {EmptyDir: &corev1.EmptyDirVolumeSource{}},
	} {
		if got := ClaimOf(p, &corev1.Volume{Name: "scratch", VolumeSource: source}); got != want {
			t.Errorf("claim %q instead of %q", got, want)
		}
	}
}

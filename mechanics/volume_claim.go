package mechanics

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/component-helpers/storage/ephemeral"

	"github.com/nodetriage/nodetriage/evidence"
)

// ClaimOf returns the name of the PersistentVolumeClaim that a volume of the pod uses, or "" if it uses none. The claim of a
// generic ephemeral volume is named after the pod and the volume (VolumeClaimName of k8s.io/component-helpers
// storage/ephemeral/ephemeral.go, v0.36.3).
func ClaimOf(p *evidence.Pod, v *corev1.Volume) string {
	switch {
	case v.PersistentVolumeClaim != nil:
		return v.PersistentVolumeClaim.ClaimName
	case v.Ephemeral != nil:
		return ephemeral.VolumeClaimName(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: p.Name}}, v)
	}
	return ""
}

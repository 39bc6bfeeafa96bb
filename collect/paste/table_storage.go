package paste

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/nodetriage/nodetriage/evidence/bounds/quantity"
)

// accessModes maps the abbreviations of kubectl.
var accessModes = map[string]corev1.PersistentVolumeAccessMode{
	"RWO": corev1.ReadWriteOnce, "ROX": corev1.ReadOnlyMany, "RWX": corev1.ReadWriteMany, "RWOP": corev1.ReadWriteOncePod,
}

func parseAccessModes(s string) []corev1.PersistentVolumeAccessMode {
	var out []corev1.PersistentVolumeAccessMode
	for _, short := range strings.Split(s, ",") {
		if m, ok := accessModes[strings.TrimSpace(short)]; ok {
			out = append(out, m)
		}
	}
	return out
}

func storage(s string) corev1.ResourceList {
	q, err := quantity.Parse(s)
	if err != nil {
		return nil
	}
	return corev1.ResourceList{corev1.ResourceStorage: q}
}

// claimRow reads "kubectl get pvc"; volume, capacity and modes are empty while a claim is pending.
func claimRow(t *table, c cells, l line) bool {
	phase := corev1.PersistentVolumeClaimPhase(c["STATUS"])
	switch phase {
	case corev1.ClaimBound, corev1.ClaimPending, corev1.ClaimLost, "Terminating":
	default:
		return false
	}
	if !isName(c["NAME"]) || !isAge(c["AGE"]) {
		return false
	}
	if !t.p.text.room("persistentvolumeclaims", l) {
		return true
	}
	claim := &corev1.PersistentVolumeClaim{}
	claim.Name, claim.Namespace = trimKind(c["NAME"]), c["NAMESPACE"]
	if claim.Namespace == "" {
		claim.Namespace = t.ask.namespace
	}
	claim.Status.Phase = phase
	claim.Spec.VolumeName = c.get("VOLUME")
	claim.Status.Capacity = storage(c.get("CAPACITY"))
	claim.Status.AccessModes = parseAccessModes(c.get("ACCESSMODES"))
	if class := c.get("STORAGECLASS"); class != "" {
		claim.Spec.StorageClassName = &class
	}
	t.p.text.setAge(&claim.CreationTimestamp.Time, c["AGE"])
	t.p.text.claims = append(t.p.text.claims, claim)
	return true
}

// volumeRow reads "kubectl get pv".
func volumeRow(t *table, c cells, l line) bool {
	phase := corev1.PersistentVolumePhase(c["STATUS"])
	switch phase {
	case corev1.VolumeAvailable, corev1.VolumeBound, corev1.VolumeReleased, corev1.VolumeFailed, corev1.VolumePending, "Terminating":
	default:
		return false
	}
	if !isName(c["NAME"]) || !isAge(c["AGE"]) {
		return false
	}
	if !t.p.text.room("persistentvolumes", l) {
		return true
	}
	v := &corev1.PersistentVolume{}
	v.Name = trimKind(c["NAME"])
	v.Status.Phase, v.Status.Reason = phase, c.get("REASON")
	v.Spec.Capacity = storage(c.get("CAPACITY"))
	v.Spec.AccessModes = parseAccessModes(c.get("ACCESSMODES"))
	v.Spec.PersistentVolumeReclaimPolicy = corev1.PersistentVolumeReclaimPolicy(c.get("RECLAIMPOLICY"))
	v.Spec.StorageClassName = c.get("STORAGECLASS")
	if namespace, name, ok := strings.Cut(c.get("CLAIM"), "/"); ok {
		v.Spec.ClaimRef = &corev1.ObjectReference{Kind: "PersistentVolumeClaim", Namespace: namespace, Name: name}
	}
	t.p.text.setAge(&v.CreationTimestamp.Time, c["AGE"])
	t.p.text.volumes = append(t.p.text.volumes, v)
	return true
}

// attachmentRow reads "kubectl get volumeattachments".
func attachmentRow(t *table, c cells, l line) bool {
	attached := c["ATTACHED"]
	if attached != "true" && attached != "false" || !isName(c["NAME"]) || !isAge(c["AGE"]) {
		return false
	}
	if !t.p.text.room("volumeattachments", l) {
		return true
	}
	a := &storagev1.VolumeAttachment{}
	a.Name = trimKind(c["NAME"])
	a.Spec.Attacher, a.Spec.NodeName = c.get("ATTACHER"), c.get("NODE")
	a.Status.Attached = attached == "true"
	if pv := c.get("PV"); pv != "" {
		a.Spec.Source.PersistentVolumeName = &pv
	}
	t.p.text.setAge(&a.CreationTimestamp.Time, c["AGE"])
	t.p.text.attached = append(t.p.text.attached, a)
	return true
}

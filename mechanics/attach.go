package mechanics

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// OneNodeAtATime reports whether the volume must be detached from its node before another one can have it.
func OneNodeAtATime(pv *corev1.PersistentVolume) bool { return attaches(pv) && !shared(pv) }

// attaches reports whether a volume of that kind is attached before it is mounted.
func attaches(pv *corev1.PersistentVolume) bool {
	s := pv.Spec.PersistentVolumeSource
	ofCloud := s.AzureDisk != nil || s.AWSElasticBlockStore != nil || s.GCEPersistentDisk != nil
	ofHypervisor := s.Cinder != nil || s.VsphereVolume != nil
	overNetwork := s.RBD != nil || s.ISCSI != nil || s.FC != nil
	return s.CSI != nil || ofCloud || ofHypervisor || overNetwork
}

// shared reports whether several nodes may have the volume at the same time
// (IsMultiAttachAllowed of kubernetes pkg/controller/volume/attachdetach/util, v1.36.3).
func shared(pv *corev1.PersistentVolume) bool {
	modes := pv.Spec.AccessModes
	return len(modes) == 0 || slices.Contains(modes, corev1.ReadWriteMany) || slices.Contains(modes, corev1.ReadOnlyMany)
}

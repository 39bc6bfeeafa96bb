package mechanics

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// machineLabels describe a machine and its topology. The kubelet and the cloud set them (k8s.io/api core/v1
// well_known_labels.go v0.36.3; pkg/kubelet/kubelet_node_status.go).
var machineLabels = []string{
	corev1.LabelHostname, corev1.LabelOSStable, corev1.LabelArchStable, corev1.LabelWindowsBuild,
	corev1.LabelInstanceType, corev1.LabelInstanceTypeStable,
	corev1.LabelTopologyZone, corev1.LabelTopologyRegion, corev1.LabelFailureDomainBetaZone, corev1.LabelFailureDomainBetaRegion,
	"beta.kubernetes.io/os", "beta.kubernetes.io/arch",
}

// KeptLabel reports whether the kubelet, a cloud or a provider manages a node label. A manual change would be wrong and
// is overwritten.
func KeptLabel(key string) bool {
	return slices.Contains(machineLabels, key) || evidence.ProviderLabel(key)
}

// OfSystem reports whether a label is the operating system or architecture of a node. A pod that selects it runs
// nowhere else.
func OfSystem(key string) bool {
	switch key {
	case corev1.LabelOSStable, corev1.LabelArchStable, corev1.LabelWindowsBuild, "beta.kubernetes.io/os", "beta.kubernetes.io/arch":
		return true
	}
	return false
}

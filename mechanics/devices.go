package mechanics

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Devices counts the devices of one extended resource on a node.
type Devices struct {
	Resource  corev1.ResourceName
	Unhealthy int64
	All       int64
}

// UnhealthyDevices returns the extended resources with less allocatable than capacity. The kubelet counts all devices
// of a device plugin as capacity and the healthy ones as allocatable (GetCapacity of
// pkg/kubelet/cm/devicemanager/manager.go, v1.36.3). Extended resources cannot be reserved.
func UnhealthyDevices(n *corev1.Node) []Devices {
	var out []Devices
	for _, name := range slices.Sorted(maps.Keys(n.Status.Capacity)) {
		have, may := n.Status.Capacity[name], n.Status.Allocatable[name]
		_, known := n.Status.Allocatable[name]
		if known && ExtendedResource(name) && may.Cmp(have) < 0 {
			out = append(out, Devices{name, have.Value() - may.Value(), have.Value()})
		}
	}
	return out
}

// ExtendedResource reports whether a resource is neither native to Kubernetes nor hugepages (IsExtendedResourceName of
// pkg/apis/core/v1/helper/helpers.go, v1.36.3).
func ExtendedResource(name corev1.ResourceName) bool {
	return strings.Contains(string(name), "/") && !strings.Contains(string(name), corev1.ResourceDefaultNamespacePrefix)
}

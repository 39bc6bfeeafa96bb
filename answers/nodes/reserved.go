package nodes

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// reserved returns what the kubelet reserves of a resource: capacity less allocatable. "": unknown, or nothing. It reserves no
// devices.
func reserved(n *evidence.Node, name corev1.ResourceName) string {
	have, known := n.Node.Status.Capacity[name]
	may, both := n.Node.Status.Allocatable[name]
	if !known || !both || mechanics.ExtendedResource(name) {
		return ""
	}
	have.Sub(may)
	if have.Sign() <= 0 {
		return ""
	}
	return amountText(name, have)
}

// reservedBy returns for whom, from the kubelet's settings: allocatable is capacity less kubeReserved, systemReserved and the
// hard eviction threshold (GetNodeAllocatableReservation of pkg/kubelet/cm/node_container_manager_linux.go, v1.36.3). "": they
// were not read.
func (b *builder) reservedBy(node string, name corev1.ResourceName) string {
	k := b.snapshot.Kubelet(node)
	if k == nil || k.Config == nil {
		return ""
	}
	thresholds := map[corev1.ResourceName]string{
		corev1.ResourceMemory: "memory.available", corev1.ResourceEphemeralStorage: "nodefs.available",
	}
	var out []string
	for _, part := range []struct{ setting, says string }{
		{"kubeReserved." + string(name), "kubelet and runtime"},
		{"systemReserved." + string(name), "system"},
		{"evictionHard." + thresholds[name], "eviction threshold"},
	} {
		if v := k.Config[part.setting]; v != "" && v != "0" && v != "0%" {
			out = append(out, fmt.Sprintf("%s %s", part.says, v))
		}
	}
	return strings.Join(out, ", ")
}

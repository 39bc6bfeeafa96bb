package evidence

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// NodeUsage is an object of the metrics API: what a node uses.
type NodeUsage struct {
	Metadata struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Usage map[string]resource.Quantity `json:"usage"` // cpu, memory
}

func fromNodeUsage(u *NodeUsage) *Usage {
	cpu, memory := u.Usage[string(corev1.ResourceCPU)], u.Usage[string(corev1.ResourceMemory)]
	return &Usage{Node: u.Metadata.Name, CPU: cpu.MilliValue(), Memory: memory.Value()}
}

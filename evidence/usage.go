package evidence

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// NodeUsage is a NodeMetrics object of the metrics API.
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

// ContainersUsage is a PodMetrics object of the metrics API.
type ContainersUsage struct {
	Metadata struct {
		Name      string `json:"name"`
		Namespace string `json:"namespace"`
	} `json:"metadata"`
	Containers []struct {
		Usage map[string]resource.Quantity `json:"usage"` // cpu, memory
	} `json:"containers"`
}

// PodUsage is the current usage of a pod.
type PodUsage struct {
	Namespace string `json:"namespace,omitempty"` // empty: a table without a namespace column
	Name      string `json:"name"`
	CPU       int64  `json:"cpu"`            // millicores
	Memory    int64  `json:"memory"`         // bytes
	From      string `json:"from,omitempty"` // kubelet: its stats summary; empty: the metrics API
}

func fromContainersUsage(m *ContainersUsage) *PodUsage {
	out := &PodUsage{Namespace: m.Metadata.Namespace, Name: m.Metadata.Name}
	for _, c := range m.Containers {
		cpu, memory := c.Usage[string(corev1.ResourceCPU)], c.Usage[string(corev1.ResourceMemory)]
		out.CPU += cpu.MilliValue()
		out.Memory += memory.Value()
	}
	return out
}

// PodUsage returns the usage of the pod, or nil. The metrics API takes precedence over the stats summary of the
// kubelet.
func (s *Snapshot) PodUsage(namespace, name string) *PodUsage {
	if u := s.podUsage[podKey{namespace, name}]; u != nil {
		return u
	}
	return s.podUsage[podKey{"", name}]
}

func indexPodUsage(list []*PodUsage) map[podKey]*PodUsage {
	out := make(map[podKey]*PodUsage, len(list))
	for _, u := range list {
		key := podKey{u.Namespace, u.Name}
		if old := out[key]; old == nil || old.From != "" {
			out[key] = u
		}
	}
	return out
}

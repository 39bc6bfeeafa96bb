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

// PodMetrics is an object of the metrics API: what the containers of a pod use. Its list has no room for more fields.
type PodMetrics struct {
	Metadata struct {
		Name      string `json:"name"`
		Namespace string `json:"namespace"`
	} `json:"metadata"`
	Containers []struct {
		Usage map[string]resource.Quantity `json:"usage"` // cpu, memory
	} `json:"containers"`
}

// PodUsage is what a pod uses now.
type PodUsage struct {
	Namespace string `json:"namespace,omitempty"` // empty: a table that does not tell it
	Name      string `json:"name"`
	CPU       int64  `json:"cpu"`            // millicores
	Memory    int64  `json:"memory"`         // bytes
	From      string `json:"from,omitempty"` // kubelet: its own summary; empty: the metrics API
}

func fromPodMetrics(m *PodMetrics) *PodUsage {
	out := &PodUsage{Namespace: m.Metadata.Namespace, Name: m.Metadata.Name}
	for _, c := range m.Containers {
		cpu, memory := c.Usage[string(corev1.ResourceCPU)], c.Usage[string(corev1.ResourceMemory)]
		out.CPU += cpu.MilliValue()
		out.Memory += memory.Value()
	}
	return out
}

// PodUsage returns what the pod uses, or nil; the metrics API goes before the kubelet's own summary.
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

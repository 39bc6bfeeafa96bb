package mechanics

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

func TestUnhealthyDevices(t *testing.T) {
	amounts := func(memory, gpus string) corev1.ResourceList {
		return corev1.ResourceList{
			corev1.ResourceMemory: resource.MustParse(memory), "kubernetes.io/batch-cpu": resource.MustParse(gpus), "nvidia.com/gpu": resource.MustParse(gpus),
		}
	}
	for _, c := range []struct {
		capacity, allocatable corev1.ResourceList
		want                  []Devices
	}{
		{amounts("16Gi", "8"), amounts("15Gi", "7"), []Devices{{"nvidia.com/gpu", 1, 8}}},
		{amounts("16Gi", "8"), amounts("15Gi", "0"), []Devices{{"nvidia.com/gpu", 8, 8}}},
		{amounts("16Gi", "8"), amounts("15Gi", "8"), nil},
		{amounts("16Gi", "0"), amounts("15Gi", "0"), nil},
		{amounts("16Gi", "8"), nil, nil}, // not in the evidence
		{nil, amounts("15Gi", "7"), nil},
	} {
		n := &corev1.Node{Status: corev1.NodeStatus{Capacity: c.capacity, Allocatable: c.allocatable}}
		if got := UnhealthyDevices(n); !slices.Equal(got, c.want) {
			t.Errorf("%v of %v: %v, want %v", c.allocatable, c.capacity, got, c.want)
		}
	}
}

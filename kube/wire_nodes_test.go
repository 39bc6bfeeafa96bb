package kube

import (
	"bytes"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func someNodes() corev1.NodeList {
	node := func(name string) corev1.Node {
		return corev1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"pool": "a"}, ManagedFields: []metav1.ManagedFieldsEntry{
				{Manager: "kubelet", FieldsV1: metav1.NewFieldsV1(`{"f:status":{}}`)},
				{Manager: "kubectl-cordon", Operation: metav1.ManagedFieldsOperationUpdate, FieldsV1: metav1.NewFieldsV1(`{"f:spec":{"f:unschedulable":{}}}`)},
			}},
			Spec: corev1.NodeSpec{ProviderID: "lab://" + name, Unschedulable: true, Taints: []corev1.Taint{{Key: "k", Effect: corev1.TaintEffectNoSchedule}}},
			Status: corev1.NodeStatus{
				Capacity:        corev1.ResourceList{"cpu": resource.MustParse("4")},
				Conditions:      []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue, Message: "kubelet is posting ready status"}},
				Images:          []corev1.ContainerImage{{Names: []string{"web:1", "web@sha256:0"}, SizeBytes: 1 << 30}, {Names: []string{"b"}}},
				VolumesAttached: []corev1.AttachedVolume{{Name: "v", DevicePath: "/dev/sdb"}},
				NodeInfo:        corev1.NodeSystemInfo{KubeletVersion: "v1.36.3"},
			},
		}
	}
	return corev1.NodeList{Items: []corev1.Node{node("a"), {}, node("b")}}
}

// asListed returns the node as in a list.
func asListed(n corev1.Node) corev1.Node {
	n = *n.DeepCopy()
	n.Status.Images = nil
	var kept []metav1.ManagedFieldsEntry
	for _, m := range n.ManagedFields {
		if raw, err := m.Marshal(); err == nil && bytes.Contains(raw, cordonField) {
			kept = append(kept, m)
		}
	}
	n.ManagedFields = kept
	return n
}

// Nodes in a list equal the result of the generated decoder, except images and managed fields that are not about
// cordons.
func TestDecodeNodes(t *testing.T) {
	list := someNodes()
	got, _, err := decodeList(protobuf("v1", "NodeList", &list), nil, new(nodeDecoder).decode)
	if err != nil || len(got) != 3 {
		t.Fatal(got, err)
	}
	for i := range got {
		if want := asListed(list.Items[i]); !equality.Semantic.DeepEqual(got[i], want) {
			t.Errorf("got  %+v\nwant %+v", got[i], want)
		}
	}
	if len(got[0].ManagedFields) != 1 || got[0].ManagedFields[0].Manager != "kubectl-cordon" {
		t.Errorf("who cordoned it: %+v", got[0].ManagedFields)
	}
}

func FuzzDecodeNodes(f *testing.F) {
	list := someNodes()
	raw, err := list.Marshal()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Add([]byte("\x12\x00\x12\x02\x1a\x00"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		want, ok := asServed[corev1.NodeList](raw)
		if !ok {
			return
		}
		got, _, err := decodeList(protobuf("v1", "NodeList", &want), nil, new(nodeDecoder).decode)
		if err != nil || len(got) != len(want.Items) {
			t.Fatal(err, len(got), len(want.Items))
		}
		for i := range got {
			if w := asListed(want.Items[i]); !equality.Semantic.DeepEqual(got[i], w) {
				t.Fatalf("got  %+v\nwant %+v", got[i], w)
			}
		}
	})
}

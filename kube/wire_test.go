package kube

import (
	"bytes"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Decoding any response returns an object or an error. If apimachinery also decodes the envelope, it reads the same
// bytes.
func FuzzDecode(f *testing.F) {
	list := corev1.PodList{Items: somePods(2)}
	f.Add(protobuf("v1", "PodList", &list))
	f.Add([]byte(`{"kind":"PodList","items":[{"metadata":{"name":"a"}}]}`))
	f.Add([]byte("k8s\x00\x12\xff\xff\xff\xff\x0f"))
	f.Add([]byte("k8s\x00"))
	f.Add([]byte("<html>"))
	f.Fuzz(func(t *testing.T, body []byte) {
		var got corev1.PodList
		decode(body, &got)
		decodeStatus(body)
		if !bytes.HasPrefix(body, magic) {
			return
		}
		var envelope runtime.Unknown
		if envelope.Unmarshal(body[len(magic):]) != nil {
			return
		}
		raw, err := open(body[len(magic):])
		if err == nil && !bytes.Equal(raw, envelope.Raw) && bytes.Count(body, []byte{0x12}) < 2 { // apimachinery joins duplicates
			t.Fatalf("got %q, apimachinery %q", raw, envelope.Raw)
		}
	})
}

// The list decoder returns the result of the generated one, except managed fields.
func FuzzDecodeList(f *testing.F) {
	list := corev1.PodList{ListMeta: metav1.ListMeta{Continue: "next"}, Items: somePods(3)}
	for i := range list.Items {
		list.Items[i].Labels = map[string]string{"a": "b"}
		list.Items[i].ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "kubelet", FieldsV1: metav1.NewFieldsV1("{}")}, {Manager: "other"}}
		list.Items[i].Spec.NodeName = "worker-1"
	}
	raw, err := list.Marshal()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Add([]byte("\x12\x00\x12\x02\x0a\x00"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var want corev1.PodList
		valid := want.Unmarshal(raw) == nil
		body, err := (&runtime.Unknown{Raw: raw}).Marshal()
		if err != nil {
			t.Fatal(err)
		}
		body = append([]byte(string(magic)), body...)
		items, meta, err := decodeList(body, nil, managedDropper[corev1.Pod]())
		if !valid || err != nil { // for invalid input the two may reject differently
			return
		}
		for i := range want.Items {
			want.Items[i].ManagedFields = nil
		}
		if meta.Continue != want.Continue || len(items) != len(want.Items) || len(items) > 0 && !equality.Semantic.DeepEqual(items, want.Items) {
			t.Fatalf("got %v %+v\nwant %+v", meta, items, want)
		}
	})
}

// The seed of the fuzz test decodes without an error.
func TestDecodeList(t *testing.T) {
	list := corev1.PodList{ListMeta: metav1.ListMeta{Continue: "next"}, Items: somePods(3)}
	list.Items[1].ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "kubelet"}}
	body := protobuf("v1", "PodList", &list)
	items, meta, err := decodeList(body, nil, managedDropper[corev1.Pod]())
	if err != nil || len(items) != 3 || meta.Continue != "next" || items[2].Name != list.Items[2].Name || len(items[1].ManagedFields) > 0 {
		t.Errorf("%+v %+v %v", meta, items, err)
	}
}

// asServed decodes a list and encodes it like a server; false: not a list.
func asServed[T any, PT interface {
	*T
	Marshal() ([]byte, error)
	Unmarshal([]byte) error
}](raw []byte) (list T, ok bool) {
	if PT(&list).Unmarshal(raw) != nil {
		return list, false
	}
	raw, err := PT(&list).Marshal()
	if err != nil {
		return list, false
	}
	list = *new(T)
	return list, PT(&list).Unmarshal(raw) == nil
}

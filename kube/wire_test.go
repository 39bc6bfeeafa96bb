package kube

import (
	"bytes"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Whatever a server sends, decoding ends with an object or an error; where apimachinery reads the envelope
// too, it reads the same bytes.
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
		if err == nil && !bytes.Equal(raw, envelope.Raw) && bytes.Count(body, []byte{0x12}) < 2 { // of two we take the first
			t.Fatalf("got %q, apimachinery %q", raw, envelope.Raw)
		}
	})
}

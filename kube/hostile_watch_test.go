//go:build !race

package kube

import (
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// The changes of a hostile server have the bounds of a list.
func TestHostileWatch(t *testing.T) {
	added := func(pod string) string { return `{"type":"ADDED","object":` + pod + `}` }
	frame := func(length uint32, body string) string {
		return string(binary.BigEndian.AppendUint32(nil, length)) + body
	}
	for name, c := range map[string]struct {
		protobuf bool
		answer   func(w io.Writer)
		want     string
	}{
		"spaces":  {false, func(w io.Writer) { endlessly(w, "", " ") }, "the change is longer than 16 MB"},
		"a text":  {false, func(w io.Writer) { endlessly(w, `{"type":"`, "x") }, "the change is longer than 16 MB"},
		"objects": {false, func(w io.Writer) { endlessly(w, `{"type":"ADDED","object":{"items":[`, "{},") }, "the change is longer than 16 MB"},
		"empty containers": {false, func(w io.Writer) {
			_, _ = io.WriteString(w, added(`{"metadata":{"name":"a"},"spec":{"containers":[`+strings.Repeat("{},", 400_000)+"{}]}}"))
		}, "it has more than 300000 objects and list elements"},
		"depth":     {false, func(w io.Writer) { _, _ = io.WriteString(w, added(deepJSON(20_000))) }, "exceeded max depth"},
		"no object": {false, func(w io.Writer) { _, _ = io.WriteString(w, added(`[]`)) }, errForm.Error()},
		"another kind of change": {false, func(w io.Writer) { _, _ = io.WriteString(w, `{"type":"`+strings.Repeat("x", 5000)+`","object":{}}`) },
			"a change of an unknown type"},
		"an error without a status": {false, func(w io.Writer) { _, _ = io.WriteString(w, `{"type":"ERROR","object":7}`) }, "cannot be read"},
		"a long frame":              {true, func(w io.Writer) { endlessly(w, frame(1<<31, ""), "x") }, "the change is longer than 16 MB"},
		"no message":                {true, func(w io.Writer) { _, _ = io.WriteString(w, frame(3, "\xff\xff\xff")) }, "read the change: unexpected EOF"},
		"empty objects of protobuf": {true, func(w io.Writer) {
			e := metav1.WatchEvent{Type: "ADDED"}
			e.Object.Raw = []byte("k8s\x00\x12\x80\x89\x7a" + strings.Repeat("\x12\x00", 1_000_000))
			body, _ := e.Marshal()
			_, _ = io.WriteString(w, frame(uint32(len(body)), string(body)))
		}, "it has more than 300000 objects and list elements"},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				if c.protobuf {
					w.Header().Set("Content-Type", "application/vnd.kubernetes.protobuf;stream=watch")
				}
				c.answer(w)
			}))
			defer server.Close()
			defer server.CloseClientConnections()
			decode := func(body []byte) (any, error) { return Pods.one(body) }
			w := &watcher{reader: readerAt(t, server.URL, Options{}), path: "/api/v1/pods", decode: decode, sink: &heard{}}
			grown := peak()
			opened, err := w.open(t.Context(), metav1.ListOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer opened.Stop()
			e, sent := <-opened.ResultChan()
			if got := fmt.Sprint(e.Object); !sent || e.Type != watch.Error || !strings.Contains(got, c.want) {
				t.Errorf("%.300s, want %s", got, c.want)
			}
			if took := grown(); took > most {
				t.Errorf("took %d MB", took>>20)
			}
		})
	}
}

//go:build !race

package kube

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
)

// most is the memory limit in bytes for the responses of a hostile server.
const most = 900 << 20

// peak returns a function that returns the maximum growth of the heap.
func peak() func() uint64 {
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	done, highest := make(chan struct{}), make(chan uint64)
	go func() {
		top := before.HeapAlloc
		for {
			select {
			case <-done:
				highest <- top - before.HeapAlloc
				return
			case <-time.After(5 * time.Millisecond):
				runtime.ReadMemStats(&now)
				top = max(top, now.HeapAlloc)
			}
		}
	}()
	return func() uint64 {
		close(done)
		return <-highest
	}
}

// endlessly writes a head and then a unit repeatedly until the client disconnects.
func endlessly(w io.Writer, head, unit string) {
	block := []byte(strings.Repeat(unit, 1+(1<<16)/len(unit)))
	_, err := io.WriteString(w, head)
	for err == nil {
		_, err = w.Write(block)
	}
}

// A hostile server can neither block the program nor fill its memory.
func TestHostileServer(t *testing.T) {
	const list = `{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[`
	for name, c := range map[string]struct {
		answer func(w http.ResponseWriter, r *http.Request)
		want   string
	}{
		"a byte per second": {func(w http.ResponseWriter, r *http.Request) {
			for range time.Tick(time.Second) {
				if _, err := w.Write([]byte(" ")); err != nil || r.Context().Err() != nil {
					return
				}
				w.(http.Flusher).Flush()
			}
		}, "timed out"},
		"nothing": {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "timed out"},
		"spaces":  {func(w http.ResponseWriter, _ *http.Request) { endlessly(w, list, " ") }, "the answer is longer than 64 MB"},
		"objects": {func(w http.ResponseWriter, _ *http.Request) { endlessly(w, list, `{"metadata":{"name":"p"}},`) }, "the answer is longer than 64 MB"},
		"empty objects": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, list+strings.Repeat("{},", 400_000)+"{}]}")
		}, "it has more than 300000 objects and list elements"},
		"nulls": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, list+strings.Repeat("null,", 400_000)+"{}]}")
		}, "it has more than 300000 objects and list elements"},
		"containers": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, list+`{"spec":{"containers":[`+strings.Repeat("{},", 400_000)+"{}]}}]}")
		}, "it has more than 300000 objects and list elements"},
		"empty objects of protobuf": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "k8s\x00\x12\x80\x89\x7a"+strings.Repeat("\x12\x00", 1_000_000)) // 2,000,000 bytes
		}, "it has more than 300000 objects and list elements"},
		"gzip": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed)
			endlessly(z, list, " ")
		}, "the answer is longer than 64 MB"},
		"no gzip": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = io.WriteString(w, "x")
		}, "unreachable"},
		"headers": {func(w http.ResponseWriter, _ *http.Request) {
			conn, out, err := w.(http.Hijacker).Hijack()
			if err != nil {
				panic(err)
			}
			defer conn.Close()
			endlessly(out, "HTTP/1.1 200 OK\r\n", "X: "+strings.Repeat("x", 1000)+"\r\n")
		}, "headers exceeded"},
		"interim answers": {func(w http.ResponseWriter, _ *http.Request) {
			conn, out, err := w.(http.Hijacker).Hijack()
			if err != nil {
				panic(err)
			}
			defer conn.Close()
			endlessly(out, "", "HTTP/1.1 103 Early Hints\r\nX: "+strings.Repeat("x", 1000)+"\r\n\r\n")
		}, "headers exceeded"},
		"depth": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, list+deepJSON(20_000)+"]}")
		}, "exceeded max depth"},
		"depth within": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, list+`{"metadata":`+deepJSON(9_000)+"}]}")
		}, ""},
		"a page of a proxy": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<html>"+strings.Repeat("x", 1<<20))
		}, "neither protobuf nor JSON"},
		"JSON as HTML": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-16")
			_, _ = io.WriteString(w, list+"]}")
		}, ""},
		"a long error": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusTeapot)
			endlessly(w, "", "x")
		}, "HTTP 418 xxx"},
		"an error of objects": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusForbidden)
			endlessly(w, `{"kind":"Status","details":{"causes":[`, "{},")
		}, "forbidden"},
		"a circle": {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.String(), http.StatusFound) }, "HTTP 302"},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(c.answer))
			defer server.Close()
			defer server.CloseClientConnections()
			r, err := NewReader(&rest.Config{Host: server.URL}, Options{Timeout: 5 * time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(c.want, "timed out") {
				r.timeout = 2 * time.Second
			}
			grown := peak()
			var all sync.WaitGroup
			for range 6 {
				all.Go(func() {
					_, err := List(context.Background(), r, Pods, Query{}, func([]corev1.Pod) error { return nil })
					if got := fmt.Sprint(err); c.want == "" && err != nil || !strings.Contains(got, c.want) {
						t.Errorf("%.200s, want %s", got, c.want)
					}
				})
			}
			all.Wait()
			if took := grown(); took > most {
				t.Errorf("took %d MB", took>>20)
			}
		})
	}
}

func deepJSON(levels int) string {
	return strings.Repeat(`{"a":`, levels) + "1" + strings.Repeat("}", levels)
}

// A page of large objects is requested again with a smaller size.
func TestLargePages(t *testing.T) {
	asked := []string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Query().Get("limit"))
		if len(asked) == 1 {
			endlessly(w, "{", " ")
			return
		}
		_, _ = io.WriteString(w, `{"kind":"PodList","items":[{"metadata":{"name":"a"}}]}`)
	}))
	defer server.Close()
	r, err := NewReader(&rest.Config{Host: server.URL}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	all, err := List(context.Background(), r, Pods, Query{}, func(pods []corev1.Pod) error { n += len(pods); return nil })
	if got := strings.Join(asked, " "); err != nil || !all || n != 1 || got != "500 25" {
		t.Errorf("%d pods, all: %v, limits %s: %v", n, all, got, err)
	}
}

package kube

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

// heard is a Sink that keeps the order of its calls.
type heard struct {
	mu    sync.Mutex
	calls []string
	came  chan struct{}
}

func (h *heard) note(format string, args ...any) {
	h.mu.Lock()
	h.calls = append(h.calls, fmt.Sprintf(format, args...))
	h.mu.Unlock()
	h.came <- struct{}{}
}

func (h *heard) Small(object any) any           { return object }
func (h *heard) Replace(small map[string]any)   { h.note("replace %d", len(small)) }
func (h *heard) Put(key string, _ any)          { h.note("put %s", key) }
func (h *heard) Drop(key string)                { h.note("drop %s", key) }
func (h *heard) Follow(changes bool, err error) { h.note("follow %v %v", changes, err != nil) }
func (h *heard) next(t *testing.T, want string) {
	t.Helper()
	select {
	case <-h.came:
	case <-time.After(time.Minute):
		t.Fatalf("no call, want %s", want)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if got := h.calls[0]; got != want {
		t.Fatalf("called %s, want %s", got, want)
	}
	h.calls = h.calls[1:]
}

// A list is followed only from the time when all its objects were sent: before that it is the list of an earlier watch.
func TestWatchFollowsAfterTheList(t *testing.T) {
	send := make(chan string)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("sendInitialEvents") != "true" {
			http.Error(w, "not asked for", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		for {
			w.(http.Flusher).Flush()
			select {
			case line := <-send:
				fmt.Fprintln(w, line)
			case <-r.Context().Done():
				return
			}
		}
	}))
	defer server.Close()
	reader, err := NewReader(&rest.Config{Host: server.URL}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	h := &heard{came: make(chan struct{}, 100)}
	done := make(chan error, 1)
	go func() { done <- Pods.Watch(ctx, reader, Part{Namespace: "shop"}, h) }()
	pod := `{"kind":"Pod","apiVersion":"v1","metadata":{"namespace":"shop","name":"web","resourceVersion":"%d"%s}}`
	event := func(typ, object string) string { return fmt.Sprintf(`{"type":%q,"object":%s}`, typ, object) }
	send <- event("ADDED", fmt.Sprintf(pod, 5, ""))
	send <- event("BOOKMARK", fmt.Sprintf(pod, 6, `,"annotations":{"k8s.io/initial-events-end":"true"}`))
	h.next(t, "replace 1")
	h.next(t, "follow true false")
	send <- event("MODIFIED", fmt.Sprintf(pod, 7, ""))
	h.next(t, "put shop/web")
	send <- event("DELETED", fmt.Sprintf(pod, 8, ""))
	h.next(t, "drop shop/web")
	cancel()
	h.next(t, "follow false false")
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// Without streamed lists the list is read in pages, and followed from the version of the first page.
func TestWatchListsInPages(t *testing.T) {
	asked := make(chan string, 10)
	server := &podServer{pods: somePods(600)}
	r := readerOf(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		switch {
		case q.Get("sendInitialEvents") != "":
			refuse(w, http.StatusUnprocessableEntity, metav1.StatusReasonInvalid, "sendInitialEvents is forbidden", "")
		case q.Get("watch") != "":
			asked <- q.Get("resourceVersion")
			<-r.Context().Done()
		default:
			server.ServeHTTP(w, r)
		}
	}), Options{})
	server.version = "41"
	ctx, cancel := context.WithCancel(t.Context())
	h := &heard{came: make(chan struct{}, 100)}
	done := make(chan error, 1)
	go func() { done <- Pods.Watch(ctx, r, Part{}, h) }()
	h.next(t, "follow false true")
	h.next(t, "replace 600")
	if got := <-asked; got != "41" {
		t.Errorf("watch from %s", got)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

package survey

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
)

// A list is read once while the Memory keeps it, and gives the same evidence and the same outcome. A failure that may pass is read
// again.
func TestMemory(t *testing.T) {
	var requests atomic.Int32
	status := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		if status == http.StatusOK {
			fmt.Fprint(w, `{"kind":"NodeMetricsList","apiVersion":"metrics.k8s.io/v1beta1","metadata":{},"items":[{"metadata":{"name":"n1"},"usage":{"cpu":"1","memory":"1Gi"}}]}`)
		}
	}))
	defer server.Close()
	reader, err := kube.NewReader(&rest.Config{Host: server.URL}, kube.Options{Timeout: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	memory := NewMemory(time.Hour)
	read := func() (asked int, usage int) {
		before := requests.Load()
		b := collect.NewBuilder(evidence.Source{Kind: "cluster"}, nil)
		s := newSurvey(reader, b, Options{Memory: memory})
		s.usage(context.Background(), "")
		s.settle()
		b.Edit(func(d *evidence.Data, _ *evidence.Templates) { usage = len(d.Usage) })
		return int(requests.Load() - before), usage
	}
	status = http.StatusBadRequest
	if asked, usage := read(); asked == 0 || usage != 0 {
		t.Fatalf("%d requests, %d usages", asked, usage)
	}
	status = http.StatusOK
	if asked, usage := read(); asked != 1 || usage != 1 {
		t.Errorf("after a failure: %d requests, %d usages", asked, usage)
	}
	if asked, usage := read(); asked != 0 || usage != 1 {
		t.Errorf("again: %d requests, %d usages", asked, usage)
	}
	memory = NewMemory(0)
	if asked, _ := read(); asked != 1 {
		t.Error("a list that is too old is used")
	}
}

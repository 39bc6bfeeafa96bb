package kube

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"k8s.io/client-go/rest"
)

func TestCustom(t *testing.T) {
	served := true
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch {
		case !served && r.URL.Path == "/apis/example.com":
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, `{"kind": "Status", "status": "Failure", "reason": "NotFound", "code": 404}`)
		case !served:
			t.Errorf("asked for %s of a group that is not served", r.URL.Path)
		case r.URL.Path == "/apis/example.com":
			_, _ = io.WriteString(w, `{"kind": "APIGroup"}`)
		default:
			_, _ = io.WriteString(w, `{"kind": "GateList", "apiVersion": "example.com/v1", "metadata": {}, "items": [{"kind": "Gate", "metadata": {"name": "a"}}]}`)
		}
	}))
	defer server.Close()
	r, err := NewReader(&rest.Config{Host: server.URL}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	gates := Custom{"example.com", "v1", "gates"}
	got, err := r.Custom(t.Context(), gates)
	if err != nil || !strings.Contains(string(got), `"kind":"List"`) || !strings.Contains(string(got), `"name": "a"`) && !strings.Contains(string(got), `"name":"a"`) {
		t.Errorf("got %s, %v", got, err)
	}
	served = false
	if got, err := r.Custom(t.Context(), gates); got != nil || err != nil {
		t.Errorf("a group that is not served: got %s, %v", got, err)
	}
}

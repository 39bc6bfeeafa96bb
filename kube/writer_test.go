package kube

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"k8s.io/client-go/rest"
)

// answering returns a server that records requests and gives one answer.
func answering(t *testing.T, code int, body string) (*Writer, *http.Request, *map[string]any) {
	t.Helper()
	var seen http.Request
	var sent map[string]any
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = *r
		data, _ := io.ReadAll(r.Body)
		_ = json.Unmarshal(data, &sent)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		fmt.Fprint(w, body)
	}))
	t.Cleanup(server.Close)
	w, err := NewWriter(&rest.Config{Host: server.URL}, Options{}, true)
	if err != nil {
		t.Fatal(err)
	}
	return w, &seen, &sent
}

// A rejection by a PodDisruptionBudget differs from throttling, returns at once, and keeps the message.
func TestEvictRefused(t *testing.T) {
	w, seen, sent := answering(t, 429, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"TooManyRequests","code":429,"message":"Cannot evict pod",
		"details":{"causes":[{"reason":"DisruptionBudget","message":"The disruption budget web needs 2 healthy pods and has 2 currently"}]}}`)
	err := w.Evict(t.Context(), "shop", "web-a", "uid-1")
	var e *Error
	if !errors.As(err, &e) || e.Reason != Refused || e.Refusal != "The disruption budget web needs 2 healthy pods and has 2 currently" {
		t.Fatalf("got %#v", err)
	}
	if seen.Method != http.MethodPost || seen.URL.Path != "/api/v1/namespaces/shop/pods/web-a/eviction" || seen.URL.Query().Get("dryRun") != "All" {
		t.Errorf("sent %s %s", seen.Method, seen.URL)
	}
	options, _ := (*sent)["deleteOptions"].(map[string]any)
	if conditions, _ := options["preconditions"].(map[string]any); conditions["uid"] != "uid-1" {
		t.Errorf("the eviction names no UID: %v", *sent)
	}
}

// A denial by a policy or webhook differs from a PodDisruptionBudget, a conflict and a missing permission, for any
// status code.
func TestDenied(t *testing.T) {
	for _, x := range []struct {
		code          int
		message, says string
	}{
		{422, `pods "web-a" is forbidden: ValidatingAdmissionPolicy 'keep' with binding 'all' denied request: ask the owner`, "ValidatingAdmissionPolicy 'keep' with binding 'all' denied request: ask the owner"},
		{403, `pods "web-a" is forbidden: ValidatingAdmissionPolicy 'keep' denied request: failed to configure policy`, "ValidatingAdmissionPolicy 'keep' denied request: failed to configure policy"},
		{429, `admission webhook "guard.example.com" denied the request: later`, `admission webhook "guard.example.com" denied the request: later`},
		{400, `admission webhook "guard.example.com" denied the request without explanation`, `admission webhook "guard.example.com" denied the request without explanation`},
	} {
		w, _, _ := answering(t, x.code, fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","status":"Failure","code":%d,"message":%q}`, x.code, x.message))
		for name, err := range map[string]error{
			"evict": w.Evict(t.Context(), "shop", "web-a", "uid-1"),
			"patch": second(Patch(t.Context(), w, Nodes, "", "w1", nil)),
		} {
			var e *Error
			if !errors.As(err, &e) || e.Reason != Denied || e.Refusal != x.says {
				t.Errorf("%s, %d: got %#v", name, x.code, err)
			}
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestPatchConflict(t *testing.T) {
	for _, code := range []int{409, 422} {
		w, seen, _ := answering(t, code, fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","status":"Failure","code":%d,"message":"the test failed"}`, code))
		_, err := Patch(t.Context(), w, Nodes, "", "w1", []Operation{{Op: "test", Path: "/metadata/resourceVersion", Value: "7"}})
		if ReasonOf(err) != Conflict || seen.Method != http.MethodPatch || seen.Header.Get("Content-Type") != "application/json-patch+json" {
			t.Errorf("%d: got %v after %s", code, err, seen.Method)
		}
	}
}

// A name that changes the path is never sent.
func TestWriterChecksNames(t *testing.T) {
	w, seen, _ := answering(t, 201, `{}`)
	if err := w.Evict(t.Context(), "shop", "../../nodes/w1", "u"); ReasonOf(err) != NotFound || seen.Method != "" {
		t.Errorf("got %v, sent %s %v", err, seen.Method, seen.URL)
	}
}

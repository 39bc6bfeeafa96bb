package azure_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// plural maps the kinds of the scenarios to the names of their lists.
var plural = map[string]string{
	"nodes": "Node", "pods": "Pod", "events": "Event", "poddisruptionbudgets": "PodDisruptionBudget",
	"persistentvolumes": "PersistentVolume", "persistentvolumeclaims": "PersistentVolumeClaim", "statefulsets": "StatefulSet",
}

// kubernetes serves the objects read-only, as an API server does, and returns the kubeconfig for it.
func kubernetes(t *testing.T, objects []map[string]any) (kubeconfig string, changed *[]string) {
	t.Helper()
	changed = new([]string)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			*changed = append(*changed, r.Method+" "+r.URL.Path)
		}
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path == "/version" {
			_, _ = w.Write([]byte(`{"major": "1", "minor": "33", "gitVersion": "v1.33.3"}`))
			return
		}
		items := []any{}
		last := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
		for _, o := range objects {
			name := o["metadata"].(map[string]any)["name"]
			switch {
			case plural[last] == o["kind"]:
				items = append(items, o)
			case name == last && strings.Contains(r.URL.Path, "/nodes/") && o["kind"] == "Node":
				_ = json.NewEncoder(w).Encode(o)
				return
			}
		}
		if strings.Contains(r.URL.Path, "/proxy/") || strings.HasPrefix(r.URL.Path, "/readyz") || strings.HasPrefix(r.URL.Path, "/livez") {
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte(`{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "NotFound", "code": 404}`))
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"kind": "List", "apiVersion": "v1", "metadata": map[string]any{"resourceVersion": "1"}, "items": items})
	}))
	t.Cleanup(server.Close)
	kubeconfig = filepath.Join(t.TempDir(), "config")
	text := `{"apiVersion": "v1", "kind": "Config", "current-context": "aks", "clusters": [{"name": "aks", "cluster": {"server": "` + server.URL + `"}}],
		"contexts": [{"name": "aks", "context": {"cluster": "aks", "user": "me"}}], "users": [{"name": "me", "user": {}}]}`
	if err := os.WriteFile(kubeconfig, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return kubeconfig, changed
}

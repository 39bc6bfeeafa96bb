package ask

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/kube"
)

// shop is a small cluster: worker-1 is Ready; worker-2 is NotReady, and its kubelet posts no status.
const shop = "testdata/shop"

// knowing returns the built-in knowledge.
func knowing(t *testing.T) *Knowledge {
	t.Helper()
	k, err := NewKnowledge("test")
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// fromFiles is the shop, read from its files.
func fromFiles(t *testing.T) From {
	t.Helper()
	return From{Source: Files{Paths: []string{shop}}, Knowledge: knowing(t)}
}

// held is the shop, read before.
func held(t *testing.T) *evidence.Snapshot {
	t.Helper()
	s, err := Read(t.Context(), fromFiles(t), Scope{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// fromText returns a pasted text as evidence.
func fromText(t *testing.T, text string) From {
	t.Helper()
	return From{Source: Files{Paths: []string{"-"}, Stdin: strings.NewReader(text)}, Knowledge: knowing(t)}
}

// fromServer returns the nodes of the shop on an API server that rejects everything else. meet sees each request.
func fromServer(t *testing.T, meet func(r *http.Request)) From {
	t.Helper()
	var nodes []any
	byPath := map[string]any{}
	for _, n := range held(t).Data().Nodes {
		nodes = append(nodes, n.Node)
		byPath["/api/v1/nodes/"+n.Name] = n.Node
		byPath["/api/v1/nodes/"+n.Name+"/proxy/logs/nodetriage/report.json"] = savedReport(n.Name)
	}
	byPath["/api/v1/nodes"] = map[string]any{"kind": "NodeList", "apiVersion": "v1", "metadata": map[string]any{"resourceVersion": "1"}, "items": nodes}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		meet(r)
		w.Header().Set("Content-Type", "application/json")
		answer, there := byPath[r.URL.Path]
		switch {
		case there:
		case strings.HasPrefix(r.URL.Path, "/api/v1/nodes/"):
			w.WriteHeader(http.StatusNotFound)
			answer = metav1.Status{TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: "Failure", Reason: "NotFound", Code: 404}
		default:
			w.WriteHeader(http.StatusForbidden)
			answer = metav1.Status{TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: "Failure", Reason: "Forbidden", Code: 403}
		}
		_ = json.NewEncoder(w).Encode(answer)
	}))
	t.Cleanup(server.Close)
	return From{Knowledge: knowing(t), Source: Cluster{Connect: func() (*kube.Reader, string, error) {
		r, err := kube.NewReader(&rest.Config{Host: server.URL}, kube.Options{})
		return r, "lab", err
	}}}
}

// savedReport returns the report of an agent with one archive, and another under an invalid name.
func savedReport(node string) *nodereport.Report {
	at := time.Date(2026, 6, 2, 9, 0, 0, 0, time.UTC)
	return &nodereport.Report{APIVersion: nodereport.APIVersion, Kind: nodereport.Kind, Node: node, Saved: []nodereport.Saved{
		{File: nodereport.SavedName(at), At: at, Why: "not ready", Bytes: 5}, {File: "other.tar.gz", Bytes: 5},
	}}
}

// cancelled returns a cancelled context.
func cancelled(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// recording is the shop as a file system.
func recording(t *testing.T) Recording {
	t.Helper()
	files := fstest.MapFS{}
	entries, err := os.ReadDir(shop)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(shop, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = &fstest.MapFile{Data: data}
	}
	return Recording{Name: "shop", Evidence: files}
}

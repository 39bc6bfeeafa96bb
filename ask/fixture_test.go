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

	"k8s.io/client-go/rest"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
)

// shop is a small cluster: worker-1 is Ready; worker-2 is not, and its kubelet posts no status any more.
const shop = "testdata/shop"

// knowing is the knowledge of the program.
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

// fromText is evidence of a pasted text.
func fromText(t *testing.T, text string) From {
	t.Helper()
	return From{Source: Files{Paths: []string{"-"}, Stdin: strings.NewReader(text)}, Knowledge: knowing(t)}
}

// fromServer is the nodes of the shop on an API server that refuses everything else. What it is asked goes to meet.
func fromServer(t *testing.T, meet func(r *http.Request)) From {
	t.Helper()
	var nodes []any
	for _, n := range held(t).Data().Nodes {
		nodes = append(nodes, n.Node)
	}
	list, err := json.Marshal(map[string]any{"kind": "NodeList", "apiVersion": "v1", "metadata": map[string]any{"resourceVersion": "1"}, "items": nodes})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		meet(r)
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path == "/api/v1/nodes" {
			_, _ = w.Write(list)
			return
		}
		w.WriteHeader(http.StatusForbidden)
		_, _ = w.Write([]byte(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403,"message":"no"}`))
	}))
	t.Cleanup(server.Close)
	return From{Knowledge: knowing(t), Source: Cluster{Connect: func() (*kube.Reader, string, error) {
		r, err := kube.NewReader(&rest.Config{Host: server.URL}, kube.Options{})
		return r, "lab", err
	}}}
}

// cancelled is a context that has ended.
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

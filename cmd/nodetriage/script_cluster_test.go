package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"sigs.k8s.io/yaml"
)

// standInCluster is an API server for scripts: it serves the objects of a file, accepts patches and evictions, and serves node
// logs from the folder of that node. It also serves the cloud, which answers from a file and rejects every change. It records
// writes and node requests in order.
type standInCluster struct {
	folder string
	silent chan struct{} // closed at the end: until then a file with .silent next to it has no answer, and one with .half no end

	mu      sync.Mutex
	objects map[string]map[string]any // by path
	noted   []string
}

// plurals are the names of lists by kind.
var plurals = map[string]string{"Node": "/api/v1/nodes", "Pod": "/api/v1/namespaces/%s/pods"}

// cluster starts one: cluster FOLDER. KUBECONFIG and $AZURE point to it, and FOLDER/requests is its record.
func cluster(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: cluster FOLDER")
	}
	c, err := newCluster(ts.MkAbs(args[0]))
	ts.Check(err)
	api, cloud := httptest.NewServer(http.HandlerFunc(c.api)), httptest.NewServer(http.HandlerFunc(c.azure))
	ts.Defer(func() { close(c.silent); api.Close(); cloud.Close() })
	ts.Check(os.WriteFile(ts.MkAbs("kubeconfig"), kubeconfigOf(api.URL), 0o600))
	ts.Setenv("KUBECONFIG", ts.MkAbs("kubeconfig"))
	ts.Setenv("AZURE", cloud.URL)
}

func kubeconfigOf(url string) []byte {
	return fmt.Appendf(nil, "apiVersion: v1\nkind: Config\nclusters: [{name: lab, cluster: {server: %q}}]\ncontexts: [{name: lab, context: {cluster: lab, user: me}}]\ncurrent-context: lab\nusers: [{name: me, user: {}}]\n", url)
}

func newCluster(folder string) (*standInCluster, error) {
	c := &standInCluster{folder: folder, silent: make(chan struct{}), objects: map[string]map[string]any{}}
	text, err := os.ReadFile(filepath.Join(folder, "objects.yaml"))
	if err != nil {
		return nil, err
	}
	var list struct{ Items []map[string]any }
	if err := yaml.Unmarshal(text, &list); err != nil {
		return nil, err
	}
	for _, o := range list.Items {
		meta := o["metadata"].(map[string]any)
		meta["resourceVersion"], meta["uid"] = "1", meta["name"]
		list := plurals[o["kind"].(string)]
		if strings.Contains(list, "%s") {
			list = fmt.Sprintf(list, meta["namespace"])
		}
		c.objects[list+"/"+meta["name"].(string)] = o
	}
	return c, nil
}

// note records a request in the order of arrival.
func (c *standInCluster) note(r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	what := r.Method + " " + r.URL.Path
	if r.URL.Query().Has("dryRun") {
		what += " (dry run)"
	}
	c.noted = append(c.noted, what)
	_ = os.WriteFile(filepath.Join(c.folder, "requests"), []byte(strings.Join(c.noted, "\n")+"\n"), 0o600)
}

func (c *standInCluster) api(w http.ResponseWriter, r *http.Request) {
	if node, file, ok := strings.Cut(strings.TrimPrefix(r.URL.Path, "/api/v1/nodes/"), "/proxy/logs/nodetriage/"); ok {
		c.note(r)
		c.log(w, r, filepath.Join(c.folder, node, file))
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if r.Method != http.MethodGet {
		c.note(r)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	at, evicted := strings.CutSuffix(r.URL.Path, "/eviction")
	o, there := c.objects[at]
	switch {
	case r.URL.Path == "/version":
		_, _ = w.Write([]byte(`{"major": "1", "minor": "36", "gitVersion": "v1.36.3"}`))
	case evicted && there:
		delete(c.objects, at)
		_, _ = w.Write([]byte(`{"kind": "Status", "apiVersion": "v1", "status": "Success"}`))
	case r.Method == http.MethodPatch && there:
		c.patch(w, r, at)
	case there:
		_ = json.NewEncoder(w).Encode(o)
	case strings.HasPrefix(at, "/api/v1/nodes/") || strings.Contains(at, "/pods/"):
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte(`{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "NotFound", "code": 404}`))
	default:
		items := []any{}
		for _, at := range slices.Sorted(maps.Keys(c.objects)) {
			if path.Base(path.Dir(at)) == path.Base(r.URL.Path) {
				items = append(items, c.objects[at])
			}
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"kind": "List", "apiVersion": "v1", "metadata": map[string]any{"resourceVersion": "1"}, "items": items})
	}
}

// log answers as a kubelet does for a file below /var/log.
func (c *standInCluster) log(w http.ResponseWriter, r *http.Request, file string) {
	if _, err := os.Stat(file + ".silent"); err == nil {
		select {
		case <-c.silent:
		case <-r.Context().Done():
		}
		return
	}
	data, err := os.ReadFile(file)
	if err != nil {
		http.Error(w, "404 page not found", http.StatusNotFound)
		return
	}
	if _, err := os.Stat(file + ".half"); err == nil {
		w.Header().Set("Content-Length", fmt.Sprint(len(data)))
		_, _ = w.Write(data[:len(data)/2])
		_ = http.NewResponseController(w).Flush()
		select {
		case <-c.silent:
		case <-r.Context().Done():
		}
		return
	}
	_, _ = w.Write(data)
}

func (c *standInCluster) patch(w http.ResponseWriter, r *http.Request, at string) {
	var steps jsonpatch.Patch
	old, err := json.Marshal(c.objects[at])
	if err == nil {
		err = json.NewDecoder(r.Body).Decode(&steps)
	}
	var after []byte
	if err == nil {
		after, err = steps.Apply(old)
	}
	var o map[string]any
	if err == nil {
		err = json.Unmarshal(after, &o)
	}
	if err != nil {
		w.WriteHeader(http.StatusUnprocessableEntity)
		return
	}
	if !r.URL.Query().Has("dryRun") {
		c.objects[at] = o
	}
	_, _ = w.Write(after)
}

// azure answers from azure.yaml, whose keys are the ends of paths, and rejects every change.
func (c *standInCluster) azure(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if r.Method != http.MethodGet {
		c.note(r)
		w.WriteHeader(http.StatusForbidden)
		_, _ = w.Write([]byte(`{"error": {"code": "AuthorizationFailed", "message": "you may not"}}`))
		return
	}
	answers := map[string]any{}
	text, err := os.ReadFile(filepath.Join(c.folder, "azure.yaml"))
	if err == nil {
		err = yaml.Unmarshal(text, &answers)
	}
	for end, answer := range answers {
		if err == nil && strings.HasSuffix(strings.ToLower(r.URL.Path), strings.ToLower(end)) {
			_ = json.NewEncoder(w).Encode(answer)
			return
		}
	}
	w.WriteHeader(http.StatusNotFound)
	_, _ = w.Write([]byte(`{"error": {"code": "ResourceNotFound", "message": "not here"}}`))
}

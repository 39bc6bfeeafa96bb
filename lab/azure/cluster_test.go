package azure_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/lab/azure"
)

// cluster simulates an API server whose nodes follow their VMs.
type cluster struct {
	mu         sync.Mutex
	objects    []map[string]any
	changed    []string
	kubeconfig string
	stays      map[string]bool
}

// stay lists the nodes that do not follow their VMs.
func (c *cluster) stay(s *azure.Scenario) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stays = map[string]bool{}
	for number, n := range s.Nodes {
		if n != nil && n.Stays {
			c.stays[n.NameAs(number)] = true
		}
	}
}

// follow serves the objects, and adds, deletes and updates nodes as the VMs of the emulator change.
func follow(t *testing.T, e *azure.Emulator, objects []map[string]any) *cluster {
	t.Helper()
	c := &cluster{objects: objects}
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	c.kubeconfig = filepath.Join(t.TempDir(), "config")
	text := `{"apiVersion": "v1", "kind": "Config", "current-context": "aks", "clusters": [{"name": "aks", "cluster": {"server": "` + server.URL + `"}}],
		"contexts": [{"name": "aks", "context": {"cluster": "aks", "user": "me"}}], "users": [{"name": "me", "user": {}}]}`
	if err := os.WriteFile(c.kubeconfig, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	e.OnMachine(c.machine)
	return c
}

func (c *cluster) machine(m azure.Machine) {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := c.index(m.Host)
	switch {
	case c.stays[m.Host]:
	case m.Event == "gone" && i >= 0:
		c.objects = slices.Delete(c.objects, i, i+1)
	case m.Event == "works" && i >= 0:
		status := c.objects[i]["status"].(map[string]any)
		status["conditions"] = azure.Conditions("True", time.Now(), time.Now())
		if m.Image != "" {
			c.objects[i]["metadata"].(map[string]any)["labels"].(map[string]any)["kubernetes.azure.com/node-image-version"] = m.Image
		}
		spec := c.objects[i]["spec"].(map[string]any)
		spec["taints"] = slices.DeleteFunc(spec["taints"].([]any), func(t any) bool {
			return strings.HasPrefix(t.(map[string]any)["key"].(string), "node.kubernetes.io/unreachable")
		})
	case m.Event == "works":
		now := time.Now().UTC().Format(time.RFC3339)
		c.objects = append(c.objects, map[string]any{
			"apiVersion": "v1", "kind": "Node",
			"metadata": map[string]any{"name": m.Host, "uid": m.Host, "creationTimestamp": now, "labels": map[string]any{"kubernetes.azure.com/agentpool": m.Pool, "agentpool": m.Pool, "kubernetes.io/os": "linux"}},
			"spec":     map[string]any{"providerID": m.ProviderID, "taints": []any{}},
			"status":   map[string]any{"conditions": azure.Conditions("True", time.Now(), time.Now()), "nodeInfo": map[string]any{"kubeletVersion": "v1.33.3", "operatingSystem": "linux"}},
		})
	}
}

// ready reports whether the node is Ready.
func ready(node map[string]any) bool {
	return slices.ContainsFunc(node["status"].(map[string]any)["conditions"].([]any), func(c any) bool {
		m := c.(map[string]any)
		return m["type"] == "Ready" && m["status"] == "True"
	})
}

// leases returns the leases of the Ready nodes, renewed now.
func (c *cluster) leases() []any {
	out := []any{}
	for _, o := range c.objects {
		if o["kind"] == "Node" && ready(o) {
			out = append(out, map[string]any{
				"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": map[string]any{"name": o["metadata"].(map[string]any)["name"], "namespace": "kube-node-lease"},
				"spec": map[string]any{"leaseDurationSeconds": 40, "renewTime": time.Now().UTC().Format("2006-01-02T15:04:05.000000Z")},
			})
		}
	}
	return out
}

// lease returns one of them.
func (c *cluster) lease(w http.ResponseWriter, name string) {
	for _, l := range c.leases() {
		if l.(map[string]any)["metadata"].(map[string]any)["name"] == name {
			_ = json.NewEncoder(w).Encode(l)
			return
		}
	}
	w.WriteHeader(http.StatusNotFound)
	fmt.Fprint(w, `{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "NotFound", "code": 404}`)
}

func (c *cluster) index(node string) int {
	return slices.IndexFunc(c.objects, func(o map[string]any) bool {
		return o["kind"] == "Node" && o["metadata"].(map[string]any)["name"] == node
	})
}

// node returns the current node, or nil.
func (c *cluster) node(name string) map[string]any {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := c.index(name); i >= 0 {
		return c.objects[i]
	}
	return nil
}

func (c *cluster) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	last := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
	if r.Method != http.MethodGet {
		c.changed = append(c.changed, r.Method+" "+r.URL.Path)
		var steps []struct {
			Op, Path string
		}
		i := c.index(last)
		if json.NewDecoder(r.Body).Decode(&steps) != nil || i < 0 || r.Method != http.MethodPatch {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		for _, s := range steps {
			if s.Op == "remove" && s.Path == "/spec/unschedulable" {
				delete(c.objects[i]["spec"].(map[string]any), "unschedulable")
			}
		}
		_ = json.NewEncoder(w).Encode(c.objects[i])
		return
	}
	if r.URL.Path == "/version" {
		fmt.Fprint(w, `{"major": "1", "minor": "33", "gitVersion": "v1.33.3"}`)
		return
	}
	if strings.Contains(r.URL.Path, "/nodes/") && !strings.Contains(r.URL.Path, "/proxy/") {
		if i := c.index(last); i >= 0 {
			_ = json.NewEncoder(w).Encode(c.objects[i])
			return
		}
	}
	if name, isHealth := strings.CutSuffix(r.URL.Path, "/proxy/healthz"); isHealth { // the kubelet of a working node
		if i := c.index(name[strings.LastIndexByte(name, '/')+1:]); i >= 0 && ready(c.objects[i]) {
			fmt.Fprint(w, "ok")
			return
		}
	}
	if strings.Contains(r.URL.Path, "/nodes/") || strings.HasPrefix(r.URL.Path, "/readyz") || strings.HasPrefix(r.URL.Path, "/livez") {
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "NotFound", "code": 404}`)
		return
	}
	items := []any{}
	if strings.HasSuffix(r.URL.Path, "/leases") {
		items = c.leases()
	} else if strings.Contains(r.URL.Path, "/leases/") {
		c.lease(w, last)
		return
	}
	for _, o := range c.objects {
		if plural[last] == o["kind"] {
			items = append(items, o)
		}
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"kind": "List", "apiVersion": "v1", "metadata": map[string]any{"resourceVersion": "1"}, "items": items})
}

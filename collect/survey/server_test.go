package survey

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/kube"
)

// apiServer serves the objects of a file, with selectors, and records which paths were requested. It stands for a cluster
// without the machinery of one; the lab tests against a real API server.
type apiServer struct {
	objects []unstructured.Unstructured
	kubelet map[string]string // answers of all kubelets by path below the node proxy
	forbids string            // the resource that the user must not read
	nodes   int               // the number of nodes that the server counts, if not those of the file

	mu    sync.Mutex
	asked []string
}

// plurals are the resources of the kinds in testdata.
var plurals = map[string]string{
	"Node": "nodes", "Lease": "leases", "Pod": "pods", "Event": "events", "Deployment": "deployments", "ReplicaSet": "replicasets",
	"StatefulSet": "statefulsets", "DaemonSet": "daemonsets", "Job": "jobs", "PodDisruptionBudget": "poddisruptionbudgets", "PersistentVolumeClaim": "persistentvolumeclaims", "PersistentVolume": "persistentvolumes",
	"VolumeAttachment": "volumeattachments", "CSINode": "csinodes", "ValidatingWebhookConfiguration": "validatingwebhookconfigurations", "EndpointSlice": "endpointslices", "NodeMetrics": "nodes",
	"CertificateSigningRequest": "certificatesigningrequests", "StorageClass": "storageclasses",
}

func newServer(t *testing.T, file string) *apiServer {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := &apiServer{kubelet: map[string]string{"/healthz": "ok"}}
	for doc := range strings.SplitSeq(string(text), "\n---\n") {
		var o unstructured.Unstructured
		if err := yaml.Unmarshal([]byte(doc), &o.Object); err != nil {
			t.Fatal(err)
		}
		if plurals[o.GetKind()] == "" {
			t.Fatalf("no resource for kind %q", o.GetKind())
		}
		s.objects = append(s.objects, o)
	}
	return s
}

// read starts the server, and returns the Snapshot that the survey makes of it.
func (s *apiServer) read(t *testing.T, survey func(r *kube.Reader, b *collect.Builder, opt Options) error) *evidence.Snapshot {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	r, err := kube.NewReader(&rest.Config{Host: server.URL}, kube.Options{})
	if err != nil {
		t.Fatal(err)
	}
	set, err := signatures.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	b := collect.NewBuilder(evidence.Source{Kind: "cluster"}, set)
	if err := survey(r, b, Options{ProbeTimeout: 20 * time.Second, AskAgain: time.Millisecond, renewal: time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	return b.Snapshot()
}

// requested returns the distinct paths that were requested and begin with prefix.
func (s *apiServer) requested(prefix string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, p := range s.asked {
		if strings.HasPrefix(p, prefix) && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

func (s *apiServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked = append(s.asked, r.URL.Path)
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	if _, rest, proxied := strings.Cut(r.URL.Path, "/proxy"); proxied {
		text, known := s.kubelet[rest]
		if !known {
			http.Error(w, "404 page not found", http.StatusNotFound)
			return
		}
		fmt.Fprint(w, text)
		return
	}
	switch {
	case r.URL.Path == "/version":
		fmt.Fprint(w, `{"major": "1", "minor": "36", "gitVersion": "v1.36.3"}`)
	case s.forbids != "" && slices.Contains(strings.Split(r.URL.Path, "/"), s.forbids):
		refuse(w, http.StatusForbidden, "Forbidden", s.forbids+" is forbidden")
	default:
		s.serve(w, r)
	}
}

func refuse(w http.ResponseWriter, code int, reason metav1.StatusReason, message string) {
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(metav1.Status{TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: "Failure", Reason: reason, Code: int32(code), Message: message})
}

// serve answers a get or a list.
func (s *apiServer) serve(w http.ResponseWriter, r *http.Request) {
	var items []any
	for i := range s.objects {
		o := &s.objects[i]
		if at := pathOf(o); at == r.URL.Path {
			_ = json.NewEncoder(w).Encode(o)
			return
		}
		if inList(o, r.URL.Path) && selected(o, r) {
			items = append(items, o)
		}
	}
	last := path.Base(r.URL.Path)
	if !isList(r.URL.Path) {
		refuse(w, http.StatusNotFound, "NotFound", last+" not found")
		return
	}
	list := map[string]any{"resourceVersion": "1"}
	if s.nodes > 0 && last == "nodes" && r.URL.Query().Get("limit") == "1" {
		items, list["continue"], list["remainingItemCount"] = items[:1], "more", s.nodes-1
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"kind": "List", "apiVersion": "v1", "metadata": list, "items": items})
}

// isList reports whether a path is that of a list: a resource without a name, in a namespace or in all.
func isList(at string) bool {
	parts := strings.Split(strings.TrimPrefix(at, "/"), "/")
	parts = parts[min(len(parts), map[string]int{"api": 2, "apis": 3}[parts[0]]):]
	if len(parts) > 2 && parts[0] == "namespaces" {
		parts = parts[2:]
	}
	return len(parts) == 1
}

// groupOf returns the path of an API version.
func groupOf(o *unstructured.Unstructured) string {
	if strings.Contains(o.GetAPIVersion(), "/") {
		return "/apis/" + o.GetAPIVersion()
	}
	return "/api/" + o.GetAPIVersion()
}

func pathOf(o *unstructured.Unstructured) string {
	at := groupOf(o)
	if o.GetNamespace() != "" {
		at += "/namespaces/" + o.GetNamespace()
	}
	return at + "/" + plurals[o.GetKind()] + "/" + o.GetName()
}

// inList reports whether a list at that path has the object: the list of its namespace, or of all.
func inList(o *unstructured.Unstructured, at string) bool {
	return at == path.Dir(pathOf(o)) || at == groupOf(o)+"/"+plurals[o.GetKind()]
}

// selected applies the selectors of a request.
func selected(o *unstructured.Unstructured, r *http.Request) bool {
	byLabel, err := labels.Parse(r.URL.Query().Get("labelSelector"))
	byField, err2 := fields.ParseSelector(r.URL.Query().Get("fieldSelector"))
	if err != nil || err2 != nil || !byLabel.Matches(labels.Set(o.GetLabels())) {
		return false
	}
	values := fields.Set{}
	for _, q := range byField.Requirements() {
		values[q.Field], _, _ = unstructured.NestedString(o.Object, strings.Split(q.Field, ".")...)
	}
	return byField.Matches(values)
}

//go:build unix

package chart_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/yaml"

	"github.com/nodetriage/nodetriage/lab"
)

const (
	chart     = "../../charts/nodetriage"
	agentOnly = "testdata/agent-only" // the chart before it had a controller
	namespace = "nodetriage"
)

var (
	definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	diagnoses   = schema.GroupVersionResource{Group: "triage.nodetriage.dev", Version: "v1alpha1", Resource: "nodediagnoses"}
)

// world is a cluster in which pods have service accounts.
type world struct {
	plane   *lab.ControlPlane
	client  *kubernetes.Clientset
	dynamic *dynamic.DynamicClient
	helm    string
	home    string
}

func newWorld(t *testing.T, opt lab.Options) *world {
	t.Helper()
	opt.ServiceAccounts, opt.Log = true, os.Stderr
	w := &world{home: t.TempDir(), helm: buildHelm(t)}
	var err error
	if w.plane, err = lab.Start(t.Context(), opt); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.plane.Stop)
	config, err := w.plane.Config()
	if err != nil {
		t.Fatal(err)
	}
	config.QPS = -1
	w.client, w.dynamic = kubernetes.NewForConfigOrDie(config), dynamic.NewForConfigOrDie(config)
	return w
}

// buildHelm builds Helm in the version of hack/release/trial.
func buildHelm(t *testing.T) string {
	t.Helper()
	cache, err := lab.CacheDir()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "install", "helm.sh/helm/v4/cmd/helm@v4.3.1")
	cmd.Env = append(os.Environ(), "GOBIN="+cache, "GOFLAGS=-trimpath", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build Helm: %v\n%s", err, out)
	}
	return filepath.Join(cache, "helm")
}

// do runs Helm, which must succeed.
func (w *world) do(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), w.helm, append(args, "-n", namespace, "--kubeconfig", w.plane.Kubeconfig)...)
	cmd.Env = append(os.Environ(), "HOME="+w.home)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("helm %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// install installs or upgrades the release with these values and no others.
func (w *world) install(t *testing.T, from string, args ...string) string {
	t.Helper()
	return w.do(t, append([]string{"upgrade", "--install", "nodetriage", from, "--create-namespace", "--reset-values"}, args...)...)
}

// addPrometheusOperator installs the definitions of its resources.
func (w *world) addPrometheusOperator(t *testing.T) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", "github.com/prometheus-operator/prometheus-operator@v0.92.0").Output()
	if err != nil {
		t.Fatal(err)
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(out, &module); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"servicemonitors", "prometheusrules"} {
		text, err := os.ReadFile(filepath.Join(module.Dir, "example/prometheus-operator-crd/monitoring.coreos.com_"+name+".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		var crd unstructured.Unstructured
		if err := yaml.Unmarshal(text, &crd.Object); err != nil {
			t.Fatal(err)
		}
		if _, err := w.dynamic.Resource(definitions).Create(t.Context(), &crd, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		w.until(t, "the resource is served", func() bool {
			_, err := w.dynamic.Resource(schema.GroupVersionResource{Group: "monitoring.coreos.com", Version: "v1", Resource: name}).List(t.Context(), metav1.ListOptions{})
			return err == nil
		})
	}
}

// until waits at most some minutes.
func (w *world) until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(4 * time.Minute); !done(); time.Sleep(200 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it is not so: %s", what)
		}
	}
}

// objects returns the names of all objects that the release can leave: those of the namespace, and of the whole cluster. Events expire.
func (w *world) objects(t *testing.T) []string {
	t.Helper()
	_, lists, err := discovery.ServerGroupsAndResources(w.client.Discovery())
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, list := range lists {
		group, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range list.APIResources {
			if !slices.Contains(r.Verbs, "list") || r.Name == "events" || r.Name == "componentstatuses" {
				continue
			}
			w.listInto(t, found, group.WithResource(r.Name), r.Namespaced)
		}
	}
	out := make([]string, 0, len(found))
	for name := range found {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

func (w *world) listInto(t *testing.T, found map[string]bool, resource schema.GroupVersionResource, namespaced bool) {
	t.Helper()
	var from dynamic.ResourceInterface = w.dynamic.Resource(resource)
	if namespaced {
		from = w.dynamic.Resource(resource).Namespace(namespace)
	}
	list, err := from.List(context.WithoutCancel(t.Context()), metav1.ListOptions{})
	if err != nil {
		t.Fatal(resource, err)
	}
	for _, o := range list.Items {
		found[resource.Resource+"/"+o.GetName()] = true
	}
}

// added returns the names that only the second list has.
func added(before, after []string) (out []string) {
	for _, name := range after {
		if !slices.Contains(before, name) {
			out = append(out, name)
		}
	}
	return out
}

//go:build unix

package controller_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"github.com/nodetriage/nodetriage/lab"
	"github.com/nodetriage/nodetriage/lab/load"
)

var (
	diagnoses   = schema.GroupVersionResource{Group: "triage.nodetriage.dev", Version: "v1alpha1", Resource: "nodediagnoses"}
	definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	size        = load.Size{Nodes: 30, Pods: 300}
	binary      string
)

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "nodetriage-controller-")
	if err == nil {
		binary, err = lab.BuildOwn("../../cmd/nodetriage-controller", dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// world is a cluster of healthy nodes with the CustomResourceDefinition.
type world struct {
	plane   *lab.ControlPlane
	client  *kubernetes.Clientset
	dynamic *dynamic.DynamicClient
}

func newWorld(t *testing.T, args ...string) *world {
	t.Helper()
	w, store := start(t, size, args...)
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	w.beat(t)
	return w
}

// start starts a control plane with the cluster and the CustomResourceDefinition. args are more arguments of the API server.
func start(t *testing.T, size load.Size, args ...string) (*world, *load.Store) {
	t.Helper()
	plane, err := lab.Start(t.Context(), lab.Options{Still: true, Audit: true, APIServerArgs: args, Log: os.Stderr})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(plane.Stop)
	store, err := plane.Store()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Fill(t.Context(), size); err != nil {
		t.Fatal(err)
	}
	w := &world{plane: plane}
	config, err := plane.Config()
	if err != nil {
		t.Fatal(err)
	}
	config.QPS = -1
	w.client, w.dynamic = kubernetes.NewForConfigOrDie(config), dynamic.NewForConfigOrDie(config)
	text, err := os.ReadFile("../../deploy/crds/triage.nodetriage.dev_nodediagnoses.yaml")
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
	w.until(t, time.Minute, "the resource is served", func() bool {
		_, err := w.dynamic.Resource(diagnoses).List(t.Context(), metav1.ListOptions{})
		return err == nil
	})
	return w, store
}

// beat renews the leases of all nodes until the test ends.
func (w *world) beat(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	var wait sync.WaitGroup
	renew := func() {
		for i := range size.Nodes {
			patch := fmt.Sprintf(`{"spec":{"renewTime":%q}}`, metav1.NowMicro().UTC().Format(metav1.RFC3339Micro))
			_, _ = w.client.CoordinationV1().Leases(corev1.NamespaceNodeLease).Patch(ctx, size.Node(i), types.MergePatchType, []byte(patch), metav1.PatchOptions{})
		}
	}
	renew()
	wait.Go(func() {
		for tick := time.NewTicker(3 * time.Second); ctx.Err() == nil; {
			select {
			case <-tick.C:
				renew()
			case <-ctx.Done():
			}
		}
	})
	t.Cleanup(func() { stop(); wait.Wait() })
}

// roles returns the rules of the roles that the chart installs for a controller that asks kubelets.
func roles(t *testing.T) (cluster, lease []rbacv1.PolicyRule) {
	t.Helper()
	for _, file := range []string{"controller.yaml", "options/ask-kubelets/role.yaml"} {
		text, err := os.ReadFile("../../deploy/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for doc := range strings.SplitSeq(string(text), "\n---\n") {
			var role rbacv1.ClusterRole
			if err := yaml.Unmarshal([]byte(doc), &role); err != nil {
				t.Fatal(err)
			}
			switch role.Kind {
			case "Role":
				lease = append(lease, role.Rules...)
			case "ClusterRole":
				cluster = append(cluster, role.Rules...)
			}
		}
	}
	return cluster, lease
}

// user makes a user with the documented roles and no other permission.
func (w *world) user(t *testing.T) (kubeconfig string) {
	t.Helper()
	cluster, lease := roles(t)
	kubeconfig, err := w.plane.User(t.Context(), "controller", cluster...)
	if err != nil {
		t.Fatal(err)
	}
	meta := metav1.ObjectMeta{Name: "controller", Namespace: metav1.NamespaceSystem}
	_, err = w.client.RbacV1().Roles(meta.Namespace).Create(t.Context(), &rbacv1.Role{ObjectMeta: meta, Rules: lease}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.client.RbacV1().RoleBindings(meta.Namespace).Create(t.Context(), &rbacv1.RoleBinding{
		ObjectMeta: meta, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: meta.Name},
		Subjects: []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: "controller"}},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return kubeconfig
}

// replica is a running controller.
type replica struct {
	cmd *exec.Cmd
	log *safeBuffer
}

type safeBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// run starts a controller, which ends with the test.
func run(t *testing.T, kubeconfig string, args ...string) *replica {
	t.Helper()
	r := &replica{log: &safeBuffer{}}
	r.cmd = exec.Command(binary, append([]string{
		"--kubeconfig", kubeconfig, "--lease-namespace", metav1.NamespaceSystem, "--metrics-address", "0", "--health-address", "0",
	}, args...)...)
	r.cmd.Stdout, r.cmd.Stderr = r.log, r.log
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.kill)
	return r
}

func (r *replica) kill() {
	_ = r.cmd.Process.Kill()
	_ = r.cmd.Wait()
}

// status is the part of a NodeDiagnosis that tests read.
type status struct {
	Verdict  string
	Primary  struct{ Cause, Certainty string }
	Findings []struct {
		Cause    string
		Evidence []struct{ Source, Text string }
	}
	Resolved   []struct{ Primary struct{ Cause string } }
	Conditions []metav1.Condition
}

// of returns what is published about a node; the zero status: nothing.
func (w *world) of(t *testing.T, node string) (s status) {
	t.Helper()
	o, err := w.dynamic.Resource(diagnoses).Get(t.Context(), node, metav1.GetOptions{})
	if err != nil {
		return status{}
	}
	text, err := json.Marshal(o.Object["status"])
	if err != nil || json.Unmarshal(text, &s) != nil {
		t.Fatalf("status %s: %v", text, err)
	}
	return s
}

func (s status) fresh() bool {
	return slices.ContainsFunc(s.Conditions, func(c metav1.Condition) bool { return c.Type == "EvidenceFresh" && c.Status == metav1.ConditionTrue })
}

// events returns the reasons of the controller's Events about a node, in order.
func (w *world) events(t *testing.T, node string) (reasons []string) {
	t.Helper()
	list, err := w.client.CoreV1().Events(metav1.NamespaceDefault).List(t.Context(), metav1.ListOptions{FieldSelector: "involvedObject.name=" + node})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(list.Items, func(a, b corev1.Event) int { return a.LastTimestamp.Compare(b.LastTimestamp.Time) })
	for _, e := range list.Items {
		if e.Source.Component == "nodetriage-controller" {
			reasons = append(reasons, e.Reason)
		}
	}
	return reasons
}

func (w *world) until(t *testing.T, most time.Duration, what string, done func() bool) time.Duration {
	t.Helper()
	begun := time.Now()
	for !done() {
		if time.Since(begun) > most {
			t.Fatalf("after %s it is not so: %s", most, what)
		}
		time.Sleep(20 * time.Millisecond)
	}
	return time.Since(begun)
}

// sick sets or removes a problem of a node as its kubelet does.
func (w *world) sick(t *testing.T, node string, is bool) {
	t.Helper()
	value, reason := corev1.ConditionFalse, "KubeletHasNoDiskPressure"
	if is {
		value, reason = corev1.ConditionTrue, "KubeletHasDiskPressure"
	}
	now := time.Now().UTC().Format(time.RFC3339)
	patch := fmt.Sprintf(`{"status":{"conditions":[{"type":"DiskPressure","status":%q,"reason":%q,"lastTransitionTime":%q,"lastHeartbeatTime":%q}]}}`, value, reason, now, now)
	if _, err := w.client.CoreV1().Nodes().Patch(t.Context(), node, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{}, "status"); err != nil {
		t.Fatal(err)
	}
}

// leader returns the holder of the lease of the leader, and when it was taken.
func (w *world) leader(t *testing.T) coordinationv1.LeaseSpec {
	t.Helper()
	l, err := w.client.CoordinationV1().Leases(metav1.NamespaceSystem).Get(t.Context(), "nodetriage-controller", metav1.GetOptions{})
	if err != nil {
		return coordinationv1.LeaseSpec{}
	}
	return l.Spec
}

// A fault of a node is published with cause and proof within seconds, and its end too. Each change has one Event.
func TestPublishesCauses(t *testing.T) {
	w := newWorld(t)
	r := run(t, w.user(t))
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(r.log)
		}
	})
	w.until(t, time.Minute, "a leader", func() bool { return w.leader(t).HolderIdentity != nil })
	time.Sleep(5 * time.Second) // the first judgement
	var seen, healed []time.Duration
	for i := range 20 {
		node := size.Node(i)
		w.sick(t, node, true)
		seen = append(seen, w.until(t, time.Minute, node+" is published as sick", func() bool { return w.of(t, node).Primary.Cause != "" }))
		s := w.of(t, node)
		if s.Verdict == "clear" || len(s.Findings) == 0 || len(s.Findings[0].Evidence) == 0 || !s.fresh() {
			t.Errorf("%s: %+v", node, s)
		}
		w.sick(t, node, false)
		healed = append(healed, w.until(t, time.Minute, node+" is published as clear", func() bool { return w.of(t, node).Verdict == "clear" }))
		if s := w.of(t, node); len(s.Resolved) != 1 || s.Resolved[0].Primary.Cause == "" {
			t.Errorf("%s has no history: %+v", node, s)
		}
	}
	time.Sleep(3 * time.Second)
	for i := range 20 {
		if e := w.events(t, size.Node(i)); !slices.Equal(e, []string{"NodeDiagnosed", "NodeRecovered"}) {
			t.Errorf("%s has the events %q", size.Node(i), e)
		}
	}
	slices.Sort(seen)
	slices.Sort(healed)
	t.Logf("published after %s (median), %s (longest of %d); clear after %s, %s", seen[len(seen)/2], seen[len(seen)-1], len(seen), healed[len(healed)/2], healed[len(healed)-1])
	if longest := healed[len(healed)-1]; *timed && longest > 10*time.Second {
		t.Errorf("a healed node was clear after %s", longest)
	}
	if n := w.requests(t)["update nodediagnoses/status.triage.nodetriage.dev"]; n > 100 {
		t.Errorf("%d updates for 20 faults", n)
	}
}

// A killed leader is replaced within 20 s, and no Event is created twice.
func TestLeaderKilled(t *testing.T) {
	w := newWorld(t)
	kubeconfig := w.user(t)
	replicas := []*replica{run(t, kubeconfig)}
	w.until(t, time.Minute, "a leader", func() bool { return w.leader(t).HolderIdentity != nil })
	replicas = append(replicas, run(t, kubeconfig))
	time.Sleep(8 * time.Second) // the second has judged too
	var took []time.Duration
	for i := range 4 {
		node := size.Node(i)
		w.sick(t, node, true)
		w.until(t, time.Minute, node+" is published", func() bool { return w.of(t, node).Primary.Cause != "" })
		old := *w.leader(t).HolderIdentity
		next := size.Node(i + 10)
		replicas[0].kill()
		w.sick(t, next, true)
		took = append(took, w.until(t, 2*time.Minute, next+" is published by another leader", func() bool { return w.of(t, next).Primary.Cause != "" }))
		if *w.leader(t).HolderIdentity == old {
			t.Error("the killed leader still holds the lease")
		}
		replicas = append(replicas[1:], run(t, kubeconfig))
		time.Sleep(8 * time.Second)
	}
	for i := range 4 {
		for _, node := range []string{size.Node(i), size.Node(i + 10)} {
			if e := w.events(t, node); !slices.Equal(e, []string{"NodeDiagnosed"}) {
				t.Errorf("%s has the events %q", node, e)
			}
		}
	}
	slices.Sort(took)
	t.Logf("another leader published after %s", took)
	if longest := took[len(took)-1]; *timed && longest > 20*time.Second {
		t.Errorf("another leader published after %s", longest)
	}
}

// While the lists of the cluster cannot be read, the published evidence is marked as old within a minute, and no node becomes clear.
// Afterwards the controller recovers by itself.
func TestBlind(t *testing.T) {
	w := newWorld(t)
	var broken atomic.Bool
	server := w.proxy(t, func(r *http.Request) bool {
		own := strings.Contains(r.URL.Path, "nodediagnoses") || strings.Contains(r.URL.Path, "/leases/nodetriage-controller")
		return broken.Load() && !own
	})
	kubeconfig, err := w.plane.Behind("proxy", server.URL)
	if err != nil {
		t.Fatal(err)
	}
	r := run(t, kubeconfig)
	node := size.Node(0)
	w.sick(t, node, true)
	w.until(t, time.Minute, "published", func() bool { return w.of(t, node).fresh() && len(w.events(t, node)) > 0 }) // events follow
	broken.Store(true)
	server.CloseClientConnections()
	w.sick(t, node, false) // it cannot see this
	took := w.until(t, 2*time.Minute, "marked as old", func() bool { return !w.of(t, node).fresh() })
	if s := w.of(t, node); s.Verdict == "clear" {
		t.Errorf("clear without evidence: %+v\n%s", s, r.log)
	}
	time.Sleep(10 * time.Second)
	if s := w.of(t, node); s.Verdict == "clear" || s.fresh() {
		t.Errorf("while blind: %+v\n%s", s, r.log)
	}
	broken.Store(false)
	back := w.until(t, 3*time.Minute, "clear after it sees again", func() bool { s := w.of(t, node); return s.Verdict == "clear" && s.fresh() })
	t.Logf("marked as old after %s, current %s after the lists were back", took, back)
	if *timed && took > time.Minute {
		t.Errorf("marked as old after %s", took)
	}
	w.until(t, time.Minute, "told by an event", func() bool { return slices.Contains(w.events(t, node), "NodeRecovered") })
	if e := w.events(t, node); !slices.Equal(e, []string{"NodeDiagnosed", "NodeRecovered"}) {
		t.Errorf("events %q", e)
	}
}

// proxy serves the API server. It answers 500 to the requests that fails selects, and ends their open watches.
func (w *world) proxy(t *testing.T, fails func(*http.Request) bool) *httptest.Server {
	t.Helper()
	config, err := w.plane.Config()
	if err != nil {
		t.Fatal(err)
	}
	transport, err := rest.TransportFor(config)
	if err != nil {
		t.Fatal(err)
	}
	target, err := url.Parse(config.Host)
	if err != nil {
		t.Fatal(err)
	}
	real := &httputil.ReverseProxy{
		Transport: transport, FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }, ErrorLog: log.New(io.Discard, "", 0),
	}
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if fails(r) {
			http.Error(rw, "spoiled", http.StatusInternalServerError)
			return
		}
		real.ServeHTTP(rw, r)
	}))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return server
}

package execute

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"

	"github.com/nodetriage/nodetriage/kube"
)

// server is an in-memory API server, with a disruption controller, a scheduler with one other node, and kubelets that
// end pods at once. The lab tests the real ones; here tests inject faults.
type server struct {
	t *testing.T
	// fault may answer a write instead of the server, or drop the answer of a completed write; n counts writes from 1.
	fault func(n int, w http.ResponseWriter, do func()) reply
	// dead: the client was killed and sends no more requests.
	dead bool
	// denies is the application whose evictions a policy denies; denied counts them.
	denies string
	denied int

	mu       sync.Mutex
	objects  map[string]any // by path
	version  int
	writes   int
	evicted  map[types.UID]int
	exceeded []string
}

const policyPath, appsPath = "/apis/policy/v1", "/apis/apps/v1"

func newServer(t *testing.T) *server {
	return &server{t: t, objects: map[string]any{}, evicted: map[types.UID]int{}}
}

// config returns a configuration that connects without a network.
func (s *server) config() *rest.Config { return &rest.Config{Host: "http://lab", Transport: s} }

func (s *server) options(t *testing.T) Options {
	t.Helper()
	reader, err := kube.NewReader(s.config(), kube.Options{})
	if err != nil {
		t.Fatal(err)
	}
	writer, err := kube.NewWriter(s.config(), kube.Options{}, false)
	if err != nil {
		t.Fatal(err)
	}
	return Options{Reader: reader, Writer: writer, By: "tester", Log: func(Entry) {}}
}

// RoundTrip answers without a network.
func (s *server) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dead {
		return nil, io.ErrUnexpectedEOF
	}
	w := httptest.NewRecorder()
	w.Header().Set("Date", time.Now().UTC().Format(http.TimeFormat))
	w.Header().Set("Content-Type", "application/json")
	if r.Method == http.MethodGet {
		s.read(w, r)
		return w.Result(), nil
	}
	s.writes++
	do := func() { s.write(w, r, body) }
	answer := honest
	if s.fault != nil {
		answer = s.fault(s.writes, w, do)
	}
	switch answer {
	case honest:
		do()
	case lost:
		return nil, io.ErrUnexpectedEOF
	}
	return w.Result(), nil
}

// reply is the result of a write: the server applies and answers it, the fault has answered it, or the answer is lost.
type reply int

const (
	honest reply = iota
	spoiled
	lost
)

func fail(w http.ResponseWriter, code int, message string, causes ...metav1.StatusCause) {
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(metav1.Status{TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: "Failure", Code: int32(code), Message: message,
		Details: &metav1.StatusDetails{Causes: causes}})
}

func (s *server) read(w http.ResponseWriter, r *http.Request) {
	if o, there := s.objects[r.URL.Path]; there {
		_ = json.NewEncoder(w).Encode(o)
		return
	}
	i := strings.LastIndexByte(r.URL.Path, '/')
	resource := r.URL.Path[i:]
	kinds := map[string]string{"/pods": "Pod", "/poddisruptionbudgets": "PodDisruptionBudget", "/deployments": "Deployment"}
	if kinds[resource] == "" {
		fail(w, http.StatusNotFound, "not found")
		return
	}
	items := []any{}
	namespace, _ := strings.CutSuffix(r.URL.Path[:i], "/namespaces/ns")
	for path, o := range s.objects {
		if !strings.HasPrefix(path, namespace+"/namespaces/ns"+resource+"/") {
			continue
		}
		if p, ok := o.(*corev1.Pod); ok {
			if f := r.URL.Query().Get("fieldSelector"); f != "" && f != "spec.nodeName="+p.Spec.NodeName {
				continue
			}
		}
		items = append(items, o)
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"kind": kinds[resource] + "List", "apiVersion": "v1", "items": items})
}

func (s *server) write(w http.ResponseWriter, r *http.Request, body []byte) {
	path, isEviction := strings.CutSuffix(r.URL.Path, "/eviction")
	o, there := s.objects[path]
	pretend := r.URL.Query().Get("dryRun") != ""
	switch {
	case !there:
		fail(w, http.StatusNotFound, "not found")
	case isEviction:
		s.evict(w, path, o.(*corev1.Pod), body, pretend)
	case pretend:
		_ = json.NewEncoder(w).Encode(o)
	default:
		s.patch(w, path, o, body)
	}
}

func (s *server) patch(w http.ResponseWriter, path string, o any, body []byte) {
	before, err := json.Marshal(o)
	if err != nil {
		s.t.Error(err)
	}
	steps, err := jsonpatch.DecodePatch(body)
	if err != nil {
		fail(w, http.StatusBadRequest, err.Error())
		return
	}
	after, err := steps.Apply(before)
	if err != nil {
		fail(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	var now any
	switch o.(type) {
	case *corev1.Node:
		now = &corev1.Node{}
	case *policyv1.PodDisruptionBudget:
		now = &policyv1.PodDisruptionBudget{}
	case *appsv1.Deployment:
		now = &appsv1.Deployment{}
	}
	if err := json.Unmarshal(after, now); err != nil {
		fail(w, http.StatusBadRequest, err.Error())
		return
	}
	s.put(path, now.(metav1.Object))
	s.reconcile()
	_ = json.NewEncoder(w).Encode(now)
}

func (s *server) put(path string, o metav1.Object) {
	s.version++
	o.SetResourceVersion(fmt.Sprint(s.version))
	s.objects[path] = o
}

// evict checks PodDisruptionBudgets, ends the pod, and starts a replacement on another node.
func (s *server) evict(w http.ResponseWriter, path string, p *corev1.Pod, body []byte, pretend bool) {
	var e policyv1.Eviction
	if json.Unmarshal(body, &e) != nil || e.DeleteOptions == nil || e.DeleteOptions.Preconditions == nil || *e.DeleteOptions.Preconditions.UID != p.UID {
		fail(w, http.StatusConflict, "another pod by now")
		return
	}
	if p.Labels["app"] == s.denies {
		s.denied++
		fail(w, http.StatusUnprocessableEntity, fmt.Sprintf("pods %q is forbidden: ValidatingAdmissionPolicy 'keep' with binding 'keep-all' denied request: ask the team", p.Name))
		return
	}
	for _, b := range s.budgetsOf(p) {
		if b.Status.DisruptionsAllowed == 0 {
			fail(w, http.StatusTooManyRequests, "Cannot evict pod", metav1.StatusCause{Type: policyv1.DisruptionBudgetCause, Message: "The disruption budget " + b.Name + " has none left"})
			return
		}
	}
	if pretend {
		w.WriteHeader(http.StatusCreated)
		_ = json.NewEncoder(w).Encode(metav1.Status{Status: "Success"})
		return
	}
	s.evicted[p.UID]++
	delete(s.objects, path)
	if d := s.deployment(p.Labels["app"]); d != nil && s.count(p.Labels["app"]) < int(*d.Spec.Replicas) {
		s.pod(p.Labels["app"], "other")
	}
	for _, b := range s.budgetsOf(p) {
		if n := s.count(b.Name); n < least(b) {
			s.exceeded = append(s.exceeded, fmt.Sprintf("%s has %d", b.Name, n))
		}
	}
	s.reconcile()
	w.WriteHeader(http.StatusCreated)
	_ = json.NewEncoder(w).Encode(metav1.Status{Status: "Success"})
}

func (s *server) budgetsOf(p *corev1.Pod) (out []*policyv1.PodDisruptionBudget) {
	for _, o := range s.objects {
		if b, ok := o.(*policyv1.PodDisruptionBudget); ok {
			if sel, err := metav1.LabelSelectorAsSelector(b.Spec.Selector); err == nil && sel.Matches(labels.Set(p.Labels)) {
				out = append(out, b)
			}
		}
	}
	return out
}

// least returns the integer minAvailable, or zero for maxUnavailable.
func least(b *policyv1.PodDisruptionBudget) int {
	if b.Spec.MinAvailable == nil {
		return 0
	}
	return b.Spec.MinAvailable.IntValue()
}

// count returns the number of pods of an application.
func (s *server) count(app string) (n int) {
	for _, o := range s.objects {
		if p, ok := o.(*corev1.Pod); ok && p.Labels["app"] == app {
			n++
		}
	}
	return n
}

// reconcile creates pods of scaled Deployments and updates the status of PodDisruptionBudgets.
func (s *server) reconcile() {
	for _, o := range s.objects {
		switch o := o.(type) {
		case *appsv1.Deployment:
			for s.count(o.Name) < int(*o.Spec.Replicas) {
				s.pod(o.Name, "other")
			}
			for s.count(o.Name) > int(*o.Spec.Replicas) && s.drop(o.Name, "other") {
			}
			o.Status.ReadyReplicas = int32(s.count(o.Name))
		case *policyv1.PodDisruptionBudget:
			o.Status.DisruptionsAllowed = max(0, int32(s.count(o.Name)-least(o)))
		}
	}
}

// drop deletes a pod of the application on the node, and reports whether there was one.
func (s *server) drop(app, node string) bool {
	for path, o := range s.objects {
		if p, ok := o.(*corev1.Pod); ok && p.Labels["app"] == app && p.Spec.NodeName == node {
			delete(s.objects, path)
			return true
		}
	}
	return false
}

func (s *server) pod(app, node string) *corev1.Pod {
	s.version++
	name, yes := fmt.Sprintf("%s-%d", app, s.version), true
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, UID: types.UID("uid-" + name), Labels: map[string]string{"app": app},
			OwnerReferences: []metav1.OwnerReference{{Kind: "ReplicaSet", Name: app, Controller: &yes}}},
		Spec:   corev1.PodSpec{NodeName: node},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}},
	}
	s.put("/api/v1/namespaces/ns/pods/"+name, p)
	return p
}

func (s *server) deployment(name string) *appsv1.Deployment {
	d, _ := s.objects[appsPath+"/namespaces/ns/deployments/"+name].(*appsv1.Deployment)
	return d
}

func (s *server) pdb(name string) *policyv1.PodDisruptionBudget {
	b, _ := s.objects[policyPath+"/namespaces/ns/poddisruptionbudgets/"+name].(*policyv1.PodDisruptionBudget)
	return b
}

func (s *server) node(name string) *corev1.Node {
	n, _ := s.objects["/api/v1/nodes/"+name].(*corev1.Node)
	return n
}

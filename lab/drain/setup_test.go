//go:build unix

// Package drain_test runs nodetriage drain against a real API server with its controllers and scheduler.
package drain_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/nodetriage/nodetriage/lab"
	"github.com/nodetriage/nodetriage/lab/play"
)

var (
	program string
	plane   *lab.ControlPlane
	client  *kubernetes.Clientset

	kubelets *play.Kubelets

	nodes = []string{"w1", "w2", "w3", "w4"}
)

func TestMain(m *testing.M) {
	code, err := setUp(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func setUp(m *testing.M) (int, error) {
	dir, err := os.MkdirTemp("", "nodetriage-drain-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	if program, err = lab.BuildOwn("../../cmd/nodetriage", dir); err != nil {
		return 0, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if plane, err = lab.Start(ctx, lab.Options{Log: os.Stderr, ControllerArgs: []string{"--use-service-account-credentials=true"}}); err != nil {
		return 0, err
	}
	defer plane.Stop()
	if client, err = plane.Client(); err != nil {
		return 0, err
	}
	if kubelets, err = play.Start(ctx, client, 500*time.Millisecond); err != nil {
		return 0, err
	}
	if err := kubelets.Add(ctx, map[string]string{"pool": "main"}, nodes...); err != nil {
		return 0, err
	}
	return m.Run(), nil
}

// run is one run of the program.
type run struct {
	cmd         *exec.Cmd
	out, stderr bytes.Buffer
}

func prepare(kubeconfig string, args ...string) *run {
	r := &run{cmd: exec.Command(program, append([]string{"drain", "--kubeconfig", kubeconfig, "-o", "json", "--yes"}, args...)...)}
	r.cmd.Stdout, r.cmd.Stderr = &r.out, &r.stderr
	return r
}

func start(t *testing.T, kubeconfig string, args ...string) *run {
	t.Helper()
	r := prepare(kubeconfig, args...)
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return r
}

// wait returns the exit code; -1: it was killed.
func (r *run) wait(t *testing.T) int {
	t.Helper()
	err := r.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return r.cmd.ProcessState.ExitCode()
}

func drain(t *testing.T, args ...string) (*run, int) {
	t.Helper()
	r := start(t, plane.Kubeconfig, args...)
	return r, r.wait(t)
}

func (r *run) String() string { return r.out.String() + r.stderr.String() }

type line struct{ Kind, Do, Name, Result, Why string }

// lines returns the reported actions of the run, in order.
func (r *run) lines(t *testing.T) []line {
	t.Helper()
	var out []line
	for text := range strings.Lines(r.out.String()) {
		var l line
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatalf("no JSON: %v: %s", err, text)
		}
		out = append(out, l)
	}
	return out
}

// told reports whether an action with that result and these words was reported.
func (r *run) told(t *testing.T, do, result, why string) bool {
	t.Helper()
	for _, l := range r.lines(t) {
		if l.Do == do && l.Result == result && strings.Contains(l.Why, why) {
			return true
		}
	}
	return false
}

// scene is a separate namespace with uncordoned nodes.
type scene struct {
	t         *testing.T
	namespace string
}

func newScene(t *testing.T) *scene { return newSceneOn(t, nodes) }

func newSceneOn(t *testing.T, nodes []string) *scene {
	t.Helper()
	s := &scene{t, strings.ToLower(strings.NewReplacer("/", "-", "_", "-").Replace(t.Name()))}
	_, err := client.CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: s.namespace}}, metav1.CreateOptions{})
	s.check(err)
	s.check(s.account())
	t.Cleanup(func() {
		ctx := context.Background()
		_ = client.CoreV1().Namespaces().Delete(ctx, s.namespace, metav1.DeleteOptions{})
		s.check(s.until("the end of "+s.namespace, func() bool {
			s.release(ctx) // including pods that a controller created meanwhile
			_, err := client.CoreV1().Namespaces().Get(ctx, s.namespace, metav1.GetOptions{})
			return err != nil
		}))
		for _, n := range nodes {
			s.open(ctx, n)
		}
	})
	return s
}

// release removes the finalizers of pods.
func (s *scene) release(ctx context.Context) {
	for _, p := range s.pods() {
		if len(p.Finalizers) > 0 {
			_, _ = client.CoreV1().Pods(s.namespace).Patch(ctx, p.Name, "application/merge-patch+json", []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
		}
	}
}

// pods lists all pods of the namespace.
func (s *scene) pods() []corev1.Pod {
	list, err := client.CoreV1().Pods(s.namespace).List(context.Background(), metav1.ListOptions{})
	if err != nil {
		s.t.Error(err)
		return nil
	}
	return list.Items
}

// account waits for the service account that pod admission requires.
func (s *scene) account() error {
	return s.until("the default service account", func() bool {
		_, err := client.CoreV1().ServiceAccounts(s.namespace).Get(s.t.Context(), "default", metav1.GetOptions{})
		return err == nil
	})
}

func (s *scene) check(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *scene) until(what string, ok func() bool) error {
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if ok() {
			return nil
		}
	}
	return fmt.Errorf("waited in vain for %s", what)
}

func (s *scene) open(ctx context.Context, node string) {
	_, err := client.CoreV1().Nodes().Patch(ctx, node, "application/merge-patch+json", []byte(`{"spec":{"unschedulable":null},"metadata":{"annotations":null}}`), metav1.PatchOptions{})
	if err != nil {
		s.t.Error(err)
		return
	}
	s.settled(node, false)
}

// settled waits until the node controller has added or removed the taint that the scheduler checks.
func (s *scene) settled(node string, closed bool) {
	err := s.until("the taint of a cordon on "+node, func() bool {
		return closed == slices.ContainsFunc(s.node(node).Spec.Taints, func(x corev1.Taint) bool { return x.Key == corev1.TaintNodeUnschedulable })
	})
	if err != nil {
		s.t.Error(err)
	}
}

func (s *scene) close(node string) {
	_, err := client.CoreV1().Nodes().Patch(s.t.Context(), node, "application/merge-patch+json", []byte(`{"spec":{"unschedulable":true}}`), metav1.PatchOptions{})
	s.check(err)
	s.settled(node, true)
}

func podSpec(grace int64) corev1.PodSpec {
	return corev1.PodSpec{TerminationGracePeriodSeconds: &grace, NodeSelector: map[string]string{"pool": "main"}, Containers: []corev1.Container{{Name: "main", Image: "app"}}}
}

// deployment starts replicas on the schedulable nodes, and waits until they are ready.
func (s *scene) deployment(name string, replicas int32, grace int64) {
	s.t.Helper()
	labels := map[string]string{"app": name}
	d := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: appsv1.DeploymentSpec{Replicas: &replicas,
		Selector: &metav1.LabelSelector{MatchLabels: labels}, Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: podSpec(grace)}}}
	_, err := client.AppsV1().Deployments(s.namespace).Create(s.t.Context(), d, metav1.CreateOptions{})
	s.check(err)
	if err := s.until("ready replicas of "+name, func() bool { return s.ready(name) == int(replicas) }); err != nil {
		events, _ := client.CoreV1().Events(s.namespace).List(s.t.Context(), metav1.ListOptions{})
		for _, e := range events.Items {
			s.t.Logf("%s %s: %s", e.InvolvedObject.Name, e.Reason, e.Message)
		}
		s.t.Fatal(err)
	}
}

// ready counts the ready pods.
func (s *scene) ready(app string) (n int) {
	pods, err := client.CoreV1().Pods(s.namespace).List(context.Background(), metav1.ListOptions{LabelSelector: "app=" + app})
	if err != nil {
		return -1
	}
	for _, p := range pods.Items {
		if p.DeletionTimestamp != nil {
			continue
		}
		for _, c := range p.Status.Conditions {
			if c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue {
				n++
			}
		}
	}
	return n
}

// lowest records the lowest number of ready pods of an application until the returned function is called.
func (s *scene) lowest(app string) func() int {
	ctx, stop := context.WithCancel(s.t.Context())
	var least atomic.Int64
	least.Store(int64(s.ready(app)))
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			if n := int64(s.ready(app)); n >= 0 && n < least.Load() {
				least.Store(n)
			}
			time.Sleep(20 * time.Millisecond)
		}
	}()
	return func() int { stop(); <-done; return int(least.Load()) }
}

func (s *scene) budget(name string, spec policyv1.PodDisruptionBudgetSpec, app string) {
	s.t.Helper()
	spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}
	_, err := client.PolicyV1().PodDisruptionBudgets(s.namespace).Create(s.t.Context(), &policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: spec}, metav1.CreateOptions{})
	s.check(err)
	s.check(s.until("budget "+name, func() bool {
		b := s.pdb(name)
		return b != nil && b.Status.ObservedGeneration == b.Generation && b.Status.ExpectedPods > 0
	}))
}

func (s *scene) pdb(name string) *policyv1.PodDisruptionBudget {
	b, err := client.PolicyV1().PodDisruptionBudgets(s.namespace).Get(context.Background(), name, metav1.GetOptions{})
	if err != nil {
		return nil
	}
	return b
}

// on lists the pods of the namespace on a node.
func (s *scene) on(node string) (names []string) {
	pods, err := client.CoreV1().Pods(s.namespace).List(context.Background(), metav1.ListOptions{FieldSelector: "spec.nodeName=" + node})
	s.check(err)
	for _, p := range pods.Items {
		names = append(names, p.Name)
	}
	return names
}

func (s *scene) node(name string) *corev1.Node {
	n, err := client.CoreV1().Nodes().Get(context.Background(), name, metav1.GetOptions{})
	s.check(err)
	return n
}

// crowd cordons all nodes except the named ones while f runs, so that new pods run there.
func (s *scene) crowd(f func(), names ...string) {
	open := map[string]bool{}
	for _, n := range names {
		open[n] = true
	}
	for _, n := range nodes {
		if !open[n] {
			s.close(n)
		}
	}
	f()
	for _, n := range nodes {
		s.open(s.t.Context(), n)
	}
}

func (s *scene) drop(budget string) error {
	return client.PolicyV1().PodDisruptionBudgets(s.namespace).Delete(s.t.Context(), budget, metav1.DeleteOptions{})
}

// cleanUp returns a context for the cleanup after a test.
func cleanUp() context.Context { return context.Background() }

package metrics

import (
	"context"
	"fmt"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/controller/engine"
	"github.com/nodetriage/nodetriage/evidence"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// fixed is a Source of given judgements.
type fixed struct {
	current *engine.Judgement
	sent    chan *engine.Judgement
}

func (f *fixed) Current() *engine.Judgement           { return f.current }
func (f *fixed) Judgements() <-chan *engine.Judgement { return f.sent }

// cluster is a cluster in the making.
type cluster struct{ b *collect.Builder }

func newCluster(k *engine.Knowledge) cluster {
	c := cluster{collect.NewBuilder(evidence.Source{Kind: "cluster"}, k.Signatures())}
	c.b.TakenAt(noon)
	for _, kind := range []evidence.Kind{evidence.Nodes, evidence.Leases, evidence.Pods, evidence.Events, evidence.PDBs} {
		c.b.Cover(kind, evidence.Complete)
	}
	return c
}

// node adds a Ready node, with disk pressure for an hour if it is full.
func (c cluster) node(name, pool string, full bool) *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{evidence.LabelAgentPool: pool}}}
	n.CreationTimestamp = metav1.NewTime(noon.Add(-48 * time.Hour))
	at := func(d time.Duration) metav1.Time { return metav1.NewTime(noon.Add(d)) }
	n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue, LastHeartbeatTime: at(0), LastTransitionTime: at(-48 * time.Hour)}}
	if full {
		n.Status.Conditions = append(n.Status.Conditions, corev1.NodeCondition{
			Type: corev1.NodeDiskPressure, Status: corev1.ConditionTrue, Reason: "KubeletHasDiskPressure", LastHeartbeatTime: at(0), LastTransitionTime: at(-time.Hour)})
	}
	lease := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Namespace: corev1.NamespaceNodeLease, Name: name}}
	lease.Spec.RenewTime = new(metav1.NewMicroTime(noon))
	c.b.AddObject(n)
	c.b.AddObject(lease)
	return n
}

// stuckDrain adds a cordoned node with a pod that its budget protects.
func (c cluster) stuckDrain() {
	c.node("n9", "blue", false).Spec.Unschedulable = true
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "basket", Labels: map[string]string{"app": "basket"}}}
	pod.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "StatefulSet", Name: "basket", Controller: new(true)}}
	pod.Spec.NodeName, pod.Status.Phase = "n9", corev1.PodRunning
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
	budget := &policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "basket"}}
	budget.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "basket"}}
	budget.Status = policyv1.PodDisruptionBudgetStatus{CurrentHealthy: 1, DesiredHealthy: 1, ExpectedPods: 1}
	c.b.AddObject(pod)
	c.b.AddObject(budget)
}

func knowledge(t *testing.T) *engine.Knowledge {
	t.Helper()
	k, err := engine.NewKnowledge("test")
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// All metrics of a cluster with two full disks in one pool, one in another, and a drain that is blocked.
func TestMetrics(t *testing.T) {
	k := knowledge(t)
	c := newCluster(k)
	for _, n := range []struct {
		name, pool string
		full       bool
	}{{"n1", "blue", true}, {"n2", "blue", true}, {"n3", "blue", false}, {"n4", "green", true}, {"n5", "green", false}} {
		c.node(n.name, n.pool, n.full)
	}
	c.stuckDrain()
	collector := New(&fixed{current: k.Judge(c.b.Snapshot())}, "v1.2.3")
	want, err := os.Open("testdata/metrics.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer want.Close()
	if err := testutil.CollectAndCompare(collector, want); err != nil {
		t.Error(err)
	}
	problems, err := testutil.CollectAndLint(collector)
	if err != nil || len(problems) > 0 {
		t.Errorf("%v %v", problems, err)
	}
}

// Before the first judgement nothing is said about the cluster.
func TestNotJudged(t *testing.T) {
	if n := testutil.CollectAndCount(New(&fixed{current: &engine.Judgement{}}, "v1")); n != 1 {
		t.Errorf("%d metrics, want only the version", n)
	}
}

// The number of series is bounded for any number of unhealthy nodes, and any names.
func TestBounds(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes minutes with the race detector, and has one goroutine")
	}
	k := knowledge(t)
	c := newCluster(k)
	for i := range 5000 {
		c.node(fmt.Sprintf("n%04d\xff", i), fmt.Sprintf("pool\xff%d", i%20), true)
	}
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(New(&fixed{current: k.Judge(c.b.Snapshot())}, "v1"))
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	series := 0
	for _, f := range families {
		series += len(f.Metric)
	}
	if series > 2000 {
		t.Errorf("%d series, want at most 2000", series)
	}
}

// A judgement on old evidence has no duration.
func TestDurations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := &fixed{current: &engine.Judgement{}, sent: make(chan *engine.Judgement)}
		c := New(source, "v1")
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- c.Start(ctx) }()
		source.sent <- &engine.Judgement{Took: 30 * time.Millisecond}
		source.sent <- &engine.Judgement{Took: time.Hour, Blind: &engine.Blindness{}}
		cancel()
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		if n := testutil.CollectAndCount(c, "nodetriage_judgement_duration_seconds"); n != 1 {
			t.Errorf("%d series of durations", n)
		}
	})
}

package veto

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/nodetriage/nodetriage/controller/engine"
	"github.com/nodetriage/nodetriage/controller/engine/enginetest"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

var healthCheck = repairers[0].kind

// world is an API server with the nodes of a cluster.
type world struct {
	client.Client
	cluster enginetest.Cluster
	writer  *Writer
	steps   int
}

func newWorld(t *testing.T, nodes int, more ...client.Object) *world {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	for _, r := range repairers {
		scheme.AddKnownTypeWithName(r.kind, &unstructured.Unstructured{})
		scheme.AddKnownTypeWithName(r.kind.GroupVersion().WithKind(r.kind.Kind+"List"), &unstructured.UnstructuredList{})
	}
	for i := range nodes {
		more = append(more, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: enginetest.Name(i)}})
	}
	c := fake.NewClientBuilder().WithScheme(scheme).WithObjects(more...).Build()
	return &world{Client: c, cluster: enginetest.Cluster{At: noon, Nodes: nodes}, writer: New(c, c, nil)}
}

// step judges the cluster with these faults half a minute later, and writes. change changes the judgement.
func (w *world) step(t *testing.T, faults map[int]enginetest.Fault, change ...func(*engine.Judgement)) {
	t.Helper()
	w.steps++
	w.cluster.At, w.cluster.Faults, w.cluster.Annotations = noon.Add(time.Duration(w.steps)*30*time.Second), faults, w.annotations(t)
	j := w.cluster.Judge(t)
	for _, do := range change {
		do(j)
	}
	if err := w.writer.write(t.Context(), j, w.cluster.At); err != nil {
		t.Fatal(err)
	}
}

func (w *world) annotations(t *testing.T) map[string]map[string]string {
	t.Helper()
	var list corev1.NodeList
	if err := w.List(t.Context(), &list); err != nil {
		t.Fatal(err)
	}
	out := map[string]map[string]string{}
	for _, n := range list.Items {
		out[n.Name] = n.Annotations
	}
	return out
}

// marked returns the numbers of the nodes with all marks and their record. It fails if a node has only some.
func (w *world) marked(t *testing.T) (out []int) {
	t.Helper()
	all := w.annotations(t)
	for i := range w.cluster.Nodes {
		switch a := all[enginetest.Name(i)]; len(a) {
		case 0:
		case len(nodeMarks) + 1:
			out = append(out, i)
		default:
			t.Errorf("%s has %q", enginetest.Name(i), a)
		}
	}
	return out
}

func every(fault enginetest.Fault, nodes ...int) map[int]enginetest.Fault {
	out := map[int]enginetest.Fault{}
	for _, i := range nodes {
		out[i] = fault
	}
	return out
}

// Nodes that fail together are marked while they do, and no other node is.
func TestMarks(t *testing.T) {
	w := newWorld(t, 12)
	expect := func(what string, want ...int) {
		t.Helper()
		if got := w.marked(t); !slices.Equal(got, want) {
			t.Errorf("%s: marked are %v, want %v", what, got, want)
		}
	}
	w.step(t, nil)
	expect("nothing is wrong")
	w.step(t, every(enginetest.Silent, 0))
	expect("one node is silent")
	w.step(t, every(enginetest.Silent, 0, 3, 6, 9))
	expect("a zone is silent", 0, 3, 6, 9)
	w.step(t, nil, func(j *engine.Judgement) { j.Blind = &engine.Blindness{Reason: "WatchInterrupted"} })
	expect("the evidence is old", 0, 3, 6, 9)
	w.step(t, every(enginetest.Silent, 0, 3, 6))
	expect("one is back", 0, 3, 6)
	w.step(t, every(enginetest.Silent, 0, 3))
	expect("two are left")
}

// Broken nodes of a pool with one cause are marked although they did not fail at the same time: they may have got the same bad image.
func TestSameCause(t *testing.T) {
	w := newWorld(t, 12)
	w.cluster.Since = map[int]time.Time{0: noon.Add(-50 * time.Minute), 1: noon.Add(-30 * time.Minute), 2: noon.Add(-10 * time.Minute)}
	w.step(t, every(enginetest.RuntimeDown, 0, 1, 2)) // pool blue
	if got := w.marked(t); !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("marked are %v", got)
	}
	w.step(t, map[int]enginetest.Fault{0: enginetest.RuntimeDown, 1: enginetest.DiskFull, 4: enginetest.RuntimeDown})
	if got := w.marked(t); len(got) > 0 {
		t.Errorf("different faults: marked are %v", got)
	}
}

// The marks of others stay as they are, also when ours are removed.
func TestMarksOfOthers(t *testing.T) {
	w := newWorld(t, 6)
	n := &corev1.Node{}
	if err := w.Get(t.Context(), client.ObjectKey{Name: enginetest.Name(0)}, n); err != nil {
		t.Fatal(err)
	}
	n.Annotations = map[string]string{nodeMarks[0]: "true", "example.com/team": "a"}
	if err := w.Update(t.Context(), n); err != nil {
		t.Fatal(err)
	}
	w.step(t, every(enginetest.Silent, 0, 1, 2))
	a := w.annotations(t)[enginetest.Name(1)]
	a[nodeMarks[1]] = "false" // a person changes one of ours
	if err := w.Get(t.Context(), client.ObjectKey{Name: enginetest.Name(1)}, n); err != nil {
		t.Fatal(err)
	}
	n.Annotations = a
	if err := w.Update(t.Context(), n); err != nil {
		t.Fatal(err)
	}
	w.step(t, nil)
	for i, want := range []map[string]string{{nodeMarks[0]: "true", "example.com/team": "a"}, {nodeMarks[1]: "false"}, {}} {
		if got := w.annotations(t)[enginetest.Name(i)]; !maps.Equal(got, want) {
			t.Errorf("node %d has %q, want %q", i, got, want)
		}
	}
}

// An edited record removes nothing but marks.
func TestForeignRecord(t *testing.T) {
	was := map[string]string{record: `{"marks":["node.kubernetes.io/exclude","` + nodeMarks[0] + `"]}`, "node.kubernetes.io/exclude": "true", nodeMarks[0]: "true"}
	if got := unmark(was); !maps.Equal(got, map[string]string{"node.kubernetes.io/exclude": "true"}) {
		t.Errorf("%q", got)
	}
	if got := unmark(map[string]string{record: "{", nodeMarks[0]: "true"}); !maps.Equal(got, map[string]string{nodeMarks[0]: "true"}) {
		t.Errorf("%q", got)
	}
}

func object(kind schema.GroupVersionKind, name string, annotations map[string]string, requests ...any) *unstructured.Unstructured {
	o := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{}}}
	o.SetGroupVersionKind(kind)
	o.SetName(name)
	o.SetNamespace("machines")
	if kind == healthCheck {
		o.SetNamespace("")
		if len(requests) > 0 {
			o.Object["spec"] = map[string]any{"pauseRequests": requests}
		}
	}
	o.SetAnnotations(annotations)
	return o
}

// Health checks are paused while nodes fail together. Pauses of others stay.
func TestPause(t *testing.T) {
	theirs := map[string]string{paused: "maintenance"}
	w := newWorld(t, 6,
		object(healthCheck, "plain", nil), object(healthCheck, "theirs", nil, "maintenance"),
		object(repairers[1].kind, "plain", nil), object(repairers[2].kind, "theirs", theirs))
	state := func() (out []string) {
		for _, r := range repairers {
			list := &unstructured.UnstructuredList{}
			list.SetGroupVersionKind(r.kind)
			if err := w.List(context.Background(), list); err != nil {
				t.Fatal(err)
			}
			for i := range list.Items {
				o := &list.Items[i]
				out = append(out, fmt.Sprintf("%s %s %d %v", o.GetKind(), o.GetName(), len(requests(o)), slices.Sorted(maps.Keys(o.GetAnnotations()))))
			}
		}
		return out
	}
	before := state()
	w.step(t, every(enginetest.Silent, 0))
	if got := state(); !slices.Equal(got, before) {
		t.Errorf("one node is silent: %q", got)
	}
	w.step(t, every(enginetest.Silent, 0, 1, 2, 3))
	want := []string{
		"NodeHealthCheck plain 1 []", "NodeHealthCheck theirs 2 []",
		"MachineHealthCheck plain 0 [cluster.x-k8s.io/paused nodetriage.dev/veto]", "MachineHealthCheck theirs 0 [cluster.x-k8s.io/paused]",
	}
	if got := state(); !slices.Equal(got, want) {
		t.Errorf("together: %q, want %q", got, want)
	}
	w.writer = New(w.Client, w.Client, nil) // another leader
	w.step(t, nil)
	if got := state(); !slices.Equal(got, before) {
		t.Errorf("healed: %q, want %q", got, before)
	}
}

// Every one of 50 faults that many nodes have in common is marked, and none of 200 faults of one or two nodes.
func TestStormsAndSingleFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes minutes with the race detector, and its goroutines are those of other tests")
	}
	random := rand.New(rand.NewPCG(1, 2))
	faults := []enginetest.Fault{enginetest.Silent, enginetest.RuntimeDown, enginetest.DiskFull}
	for i := range 50 {
		nodes := 9 + random.IntN(30)
		zone, sick := random.IntN(3), map[int]enginetest.Fault{}
		fault := faults[random.IntN(2)] // Silent or RuntimeDown: a full disk leaves its node Ready
		for n := zone; n < nodes; n += 3 {
			sick[n] = fault
		}
		j := enginetest.Cluster{At: noon, Nodes: nodes, Faults: sick}.Judge(t)
		for n := range sick {
			if j.GroupOf(enginetest.Name(n)) == nil {
				t.Errorf("storm %d (%s in zone %d of %d nodes): node %d is in no group", i, fault, zone, nodes, n)
			}
		}
	}
	for i := range 200 {
		nodes, sick := 3+random.IntN(30), map[int]enginetest.Fault{}
		for range 1 + random.IntN(2) {
			sick[random.IntN(nodes)] = faults[random.IntN(len(faults))]
		}
		if j := (enginetest.Cluster{At: noon, Nodes: nodes, Faults: sick}).Judge(t); len(j.Groups) > 0 {
			t.Errorf("fault %d (%v of %d nodes): groups %+v", i, sick, nodes, j.Groups)
		}
	}
}

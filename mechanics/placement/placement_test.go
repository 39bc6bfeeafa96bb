package placement_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics/placement"
)

// board is a Board on which each node has space for one pod. The scheduler package tests the real one.
type board struct {
	nodes map[string]*corev1.Node
	pods  map[string]string // node by name of the pod
}

func newBoard(pods map[string]string, nodes ...string) *board {
	b := &board{nodes: map[string]*corev1.Node{}, pods: pods}
	for _, n := range nodes {
		b.nodes[n] = &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: n}}
	}
	return b
}

func (b *board) Nodes() []string {
	var out []string
	for n := range b.nodes {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}

func (b *board) Node(name string) *corev1.Node              { return b.nodes[name] }
func (b *board) PutNode(n *corev1.Node)                     { b.nodes[n.Name] = n }
func (b *board) RemoveNode(name string)                     { delete(b.nodes, name) }
func (b *board) Free(string) corev1.ResourceList            { return nil }
func (b *board) Preempt(*evidence.Pod) placement.Preemption { return placement.Preemption{} }
func (b *board) Assume(p *evidence.Pod, node string) error  { b.pods[p.Name] = node; return nil }
func (b *board) Clone() (placement.Board, error)            { return b, nil }
func (b *board) Fit(*evidence.Pod) placement.Answer {
	return placement.Answer{Verdict: placement.Unknown, Unread: true}
}

func (b *board) Forget(p *evidence.Pod, node string) error {
	if b.pods[p.Name] != node {
		return errors.New("the pod is not there")
	}
	delete(b.pods, p.Name)
	return nil
}

func (b *board) Place(p *evidence.Pod) placement.Answer {
	for _, n := range b.Nodes() {
		taken := false
		for _, node := range b.pods {
			taken = taken || node == n
		}
		if !taken && !b.nodes[n].Spec.Unschedulable {
			b.pods[p.Name] = n
			return placement.Answer{Verdict: placement.Fits, Node: n}
		}
	}
	return placement.Answer{Verdict: placement.Pending, Message: "0 nodes are available"}
}

func pod(name, node string) *evidence.Pod { return &evidence.Pod{Name: name, Node: node} }

// Each replacement takes space from the next one, none goes to a closed node, and the board is the same afterwards.
func TestEvacuate(t *testing.T) {
	b := newBoard(map[string]string{"a": "n1", "b": "n2"}, "n1", "n2", "n3")
	got := placement.Evacuate(func() (placement.Board, error) { return b, nil }, []*evidence.Pod{pod("a", "n1"), pod("b", "n2")}, []string{"n1", "n2", "gone"})
	if got[0].Node != "n3" || got[1].Verdict != placement.Pending {
		t.Errorf("answers %+v", got)
	}
	if b.pods["a"] != "n1" || b.pods["b"] != "n2" || len(b.pods) != 2 || b.nodes["n1"].Spec.Unschedulable {
		t.Errorf("the board is changed: %v", b.pods)
	}
	for _, answer := range placement.Evacuate(func() (placement.Board, error) { return nil, errors.New("no scheduler") }, []*evidence.Pod{pod("a", "n1")}, nil) {
		if answer.Verdict != placement.Unknown || answer.Message != "no scheduler" {
			t.Errorf("without a board: %+v", answer)
		}
	}
}

// A board is made at the first question, and once.
func TestOnce(t *testing.T) {
	made := 0
	get := placement.Open(func(*evidence.Snapshot) (placement.Board, error) { made++; return newBoard(nil), nil }).Once(evidence.New(evidence.Data{}))
	first, _ := get()
	if second, _ := get(); made != 1 || first != second {
		t.Errorf("%d boards were made", made)
	}
}

// An answer that is unknown because pods were not read is remembered, on clones too.
func TestNoted(t *testing.T) {
	open, met := placement.Open(func(*evidence.Snapshot) (placement.Board, error) { return newBoard(map[string]string{}, "n1"), nil }).Noted()
	b, err := open(evidence.New(evidence.Data{}))
	if err != nil {
		t.Fatal(err)
	}
	b.Place(pod("a", ""))
	if met() {
		t.Error("a pod that fits is noted")
	}
	clone, err := b.Clone()
	if err != nil {
		t.Fatal(err)
	}
	clone.Fit(pod("a", ""))
	if !met() {
		t.Error("an unread answer of a clone is not noted")
	}
}

// Requests above the allocatable resources leave nothing, not less than nothing.
func TestHeadroom(t *testing.T) {
	allocatable := corev1.ResourceList{"cpu": resource.MustParse("4"), "memory": resource.MustParse("1Gi")}
	got := placement.Headroom(allocatable, func(name corev1.ResourceName) resource.Quantity {
		return map[corev1.ResourceName]resource.Quantity{"cpu": resource.MustParse("1500m"), "memory": resource.MustParse("2Gi")}[name]
	})
	if cpu, memory := got["cpu"], got["memory"]; cpu.String() != "2500m" || !memory.IsZero() {
		t.Errorf("cpu %s, memory %s", cpu.String(), memory.String())
	}
	if cpu := allocatable["cpu"]; cpu.String() != "4" {
		t.Errorf("the node is changed: cpu %s", cpu.String())
	}
}

// The size of a Ready node without allocatable resources is unknown; a node that never was Ready accepts no pods.
func TestSized(t *testing.T) {
	ready := func(status corev1.ConditionStatus) *corev1.Node {
		return &corev1.Node{Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: status}}}}
	}
	sized := ready(corev1.ConditionTrue)
	sized.Status.Allocatable = corev1.ResourceList{"cpu": resource.MustParse("4")}
	if placement.Sized(ready(corev1.ConditionTrue)) || !placement.Sized(ready(corev1.ConditionFalse)) || !placement.Sized(sized) {
		t.Error("the sizes of nodes")
	}
}

// Pods with fewer affinity terms come first; a preference is no term.
func TestNearness(t *testing.T) {
	near := &evidence.Pod{Spec: &corev1.PodSpec{Affinity: &corev1.Affinity{PodAffinity: &corev1.PodAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: make([]corev1.PodAffinityTerm, 2),
	}}}}
	free := &evidence.Pod{Spec: &corev1.PodSpec{Affinity: &corev1.Affinity{}}}
	if placement.Nearness(near) != 2 || placement.Nearness(free) != 0 {
		t.Error("the terms of pods")
	}
}

// An answer says on how many nodes it looked, if the pods of the others were not read.
func TestLookedOn(t *testing.T) {
	s := evidence.New(evidence.Data{})
	if placement.LookedOn(s) != "" {
		t.Errorf("a snapshot with all nodes: %q", placement.LookedOn(s))
	}
	some := evidence.New(evidence.Data{PodsReadOn: []string{"n1"}, Nodes: []*evidence.Node{
		evidence.FromNode(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1"}}), evidence.FromNode(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n2"}}),
	}})
	if got := placement.LookedOn(some); !strings.Contains(got, "only on the 1 of 2 nodes") {
		t.Errorf("pods of one node were read: %q", got)
	}
}

package scheduler_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/mechanics/placement/scheduler"
)

// Messages have the format of the cluster's release.
func TestWording(t *testing.T) {
	tainted := node("a", "2")
	tainted.Spec.Taints = []corev1.Taint{{Key: "gpu", Value: "yes", Effect: corev1.TaintEffectNoSchedule}}
	pinned := spec("1")
	pinned.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
		NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{"a"}}}}},
	}}}
	for _, c := range []struct {
		version string
		spec    *corev1.PodSpec
		want    string
	}{
		{"v1.36.3", spec("3"), "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s)."},
		{"", spec("3"), "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s)."},
		{"v1.33.4-gke.100", spec("3"), "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint {gpu: yes}."},
		{"v1.33.4", pinned, "0/2 nodes are available: 1 node(s) didn't satisfy plugin(s) [NodeAffinity], 1 node(s) had untolerated taint {gpu: yes}."},
		{"v1.31.0", pinned, "0/2 nodes are available: 1 node(s) had untolerated taint {gpu: yes}."},
	} {
		cluster, err := scheduler.New(evidence.New(evidence.Data{
			Server: evidence.Server{Version: c.version}, Nodes: []*evidence.Node{tainted, node("b", "2")},
		}))
		if err != nil {
			t.Fatal(err)
		}
		if r := cluster.Fit(&evidence.Pod{Namespace: "default", Name: "web", Spec: c.spec}); r.Message != c.want {
			t.Errorf("version %q: got\n  %s\nwant\n  %s", c.version, r.Message, c.want)
		}
	}
}

// A pod with higher priority preempts pods with lower priority, which the result names.
func TestPreempt(t *testing.T) {
	low, high := spec("1500m"), spec("1")
	priority := int32(1000)
	high.Priority = &priority
	data := evidence.Data{Nodes: []*evidence.Node{node("a", "2")}, Pods: []*evidence.Pod{
		{Namespace: "default", Name: "batch", Node: "a", Spec: low, Phase: corev1.PodRunning},
	}}
	c, err := scheduler.New(evidence.New(data))
	if err != nil {
		t.Fatal(err)
	}
	got := c.Preempt(&evidence.Pod{Namespace: "default", Name: "urgent", Spec: high})
	if got.Node != "a" || len(got.Victims) != 1 || got.Victims[0].Name != "batch" {
		t.Errorf("got %+v", got)
	}
	want := "no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod."
	if got := c.Preempt(&evidence.Pod{Namespace: "default", Name: "equal", Spec: low}); got.Message != want {
		t.Errorf("got %q, want %q", got.Message, want)
	}
}

// A cordoned, restored or removed node changes the answer. The original does not change.
func TestNodesChange(t *testing.T) {
	c, err := scheduler.New(evidence.New(evidence.Data{Nodes: []*evidence.Node{node("a", "2"), node("b", "2")}}))
	if err != nil {
		t.Fatal(err)
	}
	web := &evidence.Pod{Namespace: "default", Name: "web", Spec: spec("1")}
	without, err := c.Clone()
	if err != nil {
		t.Fatal(err)
	}
	without.RemoveNode("b")
	without.PutNode(placement.Cordoned(without.Node("a")))
	if r := without.Fit(web); r.Message != "0/1 nodes are available: 1 node(s) were unschedulable." {
		t.Errorf("got %v %q", r.Feasible, r.Message)
	}
	if r := c.Fit(web); len(r.Feasible) != 2 {
		t.Errorf("the original fits on %v", r.Feasible)
	}
	without.RemoveNode("a")
	if r := without.Fit(web); r.Message != "no nodes available to schedule pods" {
		t.Errorf("got %q", r.Message)
	}
}

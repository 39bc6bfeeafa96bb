package scheduler_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/mechanics/placement/scheduler"
)

func node(name, cpu string) *evidence.Node {
	room := corev1.ResourceList{"cpu": resource.MustParse(cpu), "memory": resource.MustParse("64Gi"), "pods": resource.MustParse("110")}
	return &evidence.Node{Node: &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"kubernetes.io/hostname": name}},
		Status:     corev1.NodeStatus{Allocatable: room, Capacity: room},
	}}
}

func spec(cpu string) *corev1.PodSpec {
	return &corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Resources: corev1.ResourceRequirements{
		Requests: corev1.ResourceList{"cpu": resource.MustParse(cpu)}}}}}
}

func TestAssumedPodsCompete(t *testing.T) {
	web := spec("1")
	c, err := scheduler.New(evidence.New(evidence.Data{Nodes: []*evidence.Node{node("a", "2"), node("b", "1")}}))
	if err != nil {
		t.Fatal(err)
	}
	place := func(name string) placement.Answer {
		p := &evidence.Pod{Namespace: "default", Name: name, Spec: web}
		r := c.Fit(p)
		if r.Verdict == placement.Fits {
			if err := c.Assume(p, r.Feasible[0]); err != nil {
				t.Fatal(err)
			}
		}
		return r
	}
	for i, want := range []string{"[a b]", "[a b]", "[b]", "[]"} {
		r := place(fmt.Sprint("web-", i))
		if got := fmt.Sprint(r.Feasible); got != want {
			t.Errorf("pod %d fits on %s, not %s", i, got, want)
		}
		if i == 3 && r.Message != "0/2 nodes are available: 2 Insufficient cpu." {
			t.Errorf("the scheduler says %q", r.Message)
		}
	}
	if err := c.Forget(&evidence.Pod{Namespace: "default", Name: "of-a-table"}, "a"); err == nil {
		t.Error("a pod without a spec was taken off a node")
	}
	gone := &evidence.Pod{Namespace: "default", Name: "web-1", Spec: web}
	if err := c.Forget(gone, "a"); err != nil {
		t.Fatal(err)
	}
	if r := place("web-4"); fmt.Sprint(r.Feasible) != "[a]" {
		t.Errorf("after a pod left a, the next fits on %v", r.Feasible)
	}
}

// A node without pods in the evidence may be full, so nothing is placed on it. Whether a pod fits is then unknown.
func TestNodesWhosePodsWereNotRead(t *testing.T) {
	board, unread := placement.Open(scheduler.New).Noted()
	c, err := board(evidence.New(evidence.Data{Nodes: []*evidence.Node{node("a", "2"), node("b", "8")}, PodsReadOn: []string{"a"}}))
	if err != nil {
		t.Fatal(err)
	}
	small, big := &evidence.Pod{Namespace: "default", Name: "small", Spec: spec("1")}, &evidence.Pod{Namespace: "default", Name: "big", Spec: spec("4")}
	if r := c.Fit(small); fmt.Sprintf("%s %v %v", r.Verdict, r.Feasible, r.Unread) != "fits [a] false" || unread() {
		t.Errorf("small: %+v", r)
	}
	if r := c.Place(small); r.Node != "a" {
		t.Errorf("small is placed: %+v", r)
	}
	if c, err = c.Clone(); err != nil {
		t.Fatal(err)
	}
	for _, r := range []placement.Answer{c.Fit(big), c.Place(big)} {
		if r.Verdict != placement.Unknown || !r.Unread || !strings.Contains(r.Message, "none of the 1 nodes whose pods were read (2 nodes in all)") {
			t.Errorf("big: %+v", r)
		}
	}
	if !unread() {
		t.Error("the open question was not noted")
	}
}

// BenchmarkFit places 2,000 pods on 500 nodes, with and without two spread constraints.
func BenchmarkFit(b *testing.B) {
	var nodes []*evidence.Node
	for i := range 500 {
		n := node(fmt.Sprintf("node-%03d", i), "16")
		n.Labels["topology.kubernetes.io/zone"] = fmt.Sprint(i % 3)
		nodes = append(nodes, n)
	}
	for _, spread := range []bool{false, true} {
		b.Run(fmt.Sprintf("spread=%v", spread), func(b *testing.B) {
			pods := 0
			for b.Loop() {
				c, err := scheduler.New(evidence.New(evidence.Data{Nodes: nodes}))
				if err != nil {
					b.Fatal(err)
				}
				for i := range 20 {
					pods += placeApp(b, c, fmt.Sprint("app-", i), 100, spread)
				}
			}
			b.ReportMetric(float64(pods)/b.Elapsed().Seconds(), "pods/s")
		})
	}
}

// placeApp places a number of pods of one application, each on one of the feasible nodes.
func placeApp(b *testing.B, c placement.Board, app string, pods int, spread bool) int {
	b.Helper()
	s, labels := spec("100m"), map[string]string{"app": app}
	if spread {
		for _, key := range []string{"topology.kubernetes.io/zone", "kubernetes.io/hostname"} {
			s.TopologySpreadConstraints = append(s.TopologySpreadConstraints, corev1.TopologySpreadConstraint{
				MaxSkew: 1, TopologyKey: key, WhenUnsatisfiable: corev1.DoNotSchedule,
				LabelSelector: &metav1.LabelSelector{MatchLabels: labels},
			})
		}
	}
	for j := range pods {
		p := &evidence.Pod{Namespace: "default", Name: fmt.Sprintf("%s-%d", app, j), Labels: labels, Spec: s}
		r := c.Fit(p)
		if r.Verdict != placement.Fits {
			b.Fatalf("%s fits nowhere: %s", p.Name, r.Message)
		}
		if err := c.Assume(p, r.Feasible[j%len(r.Feasible)]); err != nil {
			b.Fatal(err)
		}
	}
	return pods
}

// A running pod with anti-affinity also blocks pods without affinity.
func TestAntiAffinityOfOthers(t *testing.T) {
	alone := spec("100m")
	alone.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{
		LabelSelector: &metav1.LabelSelector{}, TopologyKey: "kubernetes.io/hostname",
	}}}}
	c, err := scheduler.New(evidence.New(evidence.Data{
		Nodes: []*evidence.Node{node("a", "2"), node("b", "2")},
		Pods:  []*evidence.Pod{{Namespace: "default", Name: "alone", Node: "a", Spec: alone, Phase: corev1.PodRunning}},
	}))
	if err != nil {
		t.Fatal(err)
	}
	if r := c.Fit(&evidence.Pod{Namespace: "default", Name: "web", Spec: spec("1")}); fmt.Sprint(r.Feasible) != "[b]" {
		t.Errorf("fits on %v", r.Feasible)
	}
}

// Cached results always equal a new evaluation, regardless of the changes in between.
func TestKeptVerdictsAreFresh(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 7))
		var nodes []*evidence.Node
		for i := range 6 {
			nodes = append(nodes, zoned(node(fmt.Sprintf("n%d", i), fmt.Sprint(1+r.IntN(3))), i))
		}
		c, err := scheduler.New(evidence.New(evidence.Data{Nodes: nodes}))
		if err != nil {
			t.Fatal(err)
		}
		shapes := randomShapes(r)
		var booked []*evidence.Pod
		for step := range 60 {
			switch r.IntN(6) {
			case 0:
				n := nodes[r.IntN(len(nodes))].DeepCopy()
				n.Spec.Unschedulable = r.IntN(2) == 0
				c.PutNode(n)
			case 1:
				c.PutNode(zoned(node(fmt.Sprintf("new-%d", step), "2"), step).Node)
			case 2:
				if len(booked) > 0 {
					p := booked[0]
					booked = booked[1:]
					if err := c.Forget(p, p.Node); err != nil {
						t.Fatal(err)
					}
				}
			default:
				p := *shapes[r.IntN(len(shapes))]
				if p.Node = c.Place(&p).Node; p.Node != "" {
					booked = append(booked, &p)
				}
			}
			like := shapes[r.IntN(len(shapes))]
			fresh, err := c.Clone()
			if err != nil {
				t.Fatal(err)
			}
			if kept, new := c.Fit(like), fresh.Fit(like); fmt.Sprint(kept) != fmt.Sprint(new) {
				t.Fatalf("seed %d, step %d, %s: kept\n%v\nfresh\n%v", seed, step, like.Name, kept, new)
			}
		}
	}
}

func zoned(n *evidence.Node, i int) *evidence.Node {
	n.Labels[corev1.LabelTopologyZone] = fmt.Sprint("z", i%3)
	return n
}

// randomShapes returns pods with requests, topology spread or anti-affinity.
func randomShapes(r *rand.Rand) (out []*evidence.Pod) {
	for i := range 6 {
		labels := map[string]string{"app": fmt.Sprint(i % 3)}
		peers := &metav1.LabelSelector{MatchLabels: map[string]string{"app": fmt.Sprint(r.IntN(3))}}
		s := spec(fmt.Sprintf("%dm", 100*(1+r.IntN(8))))
		switch i {
		case 1, 2:
			policy := []corev1.NodeInclusionPolicy{corev1.NodeInclusionPolicyHonor, corev1.NodeInclusionPolicyIgnore}[i-1]
			s.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{
				MaxSkew: 1, TopologyKey: corev1.LabelTopologyZone, WhenUnsatisfiable: corev1.DoNotSchedule, LabelSelector: peers, NodeTaintsPolicy: &policy,
			}}
		case 3:
			s.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
				{LabelSelector: peers, TopologyKey: corev1.LabelHostname}}}}
		case 4:
			s.Affinity = &corev1.Affinity{PodAffinity: &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
				{LabelSelector: peers, TopologyKey: corev1.LabelTopologyZone}}}}
		}
		out = append(out, &evidence.Pod{Namespace: []string{"a", "b"}[i%2], Name: fmt.Sprint("shape-", i), Labels: labels, Spec: s, Phase: corev1.PodRunning})
	}
	return out
}

// A table has no allocatable resources. A NotReady node without any never had a kubelet, and accepts no pods.
func TestNodeWithoutRoom(t *testing.T) {
	bare := func(ready corev1.ConditionStatus) *evidence.Node {
		n := node("bare", "1")
		n.Node.Status.Allocatable = nil
		if ready != "" {
			n.Node.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: ready}}
		}
		return n
	}
	for ready, want := range map[corev1.ConditionStatus]placement.Verdict{"": placement.Pending, "Unknown": placement.Pending, "True": placement.Unknown} {
		c, err := scheduler.New(evidence.New(evidence.Data{Nodes: []*evidence.Node{node("a", "1"), bare(ready)}}))
		if err != nil {
			t.Fatal(err)
		}
		got := c.Place(&evidence.Pod{Namespace: "default", Name: "web", Spec: spec("2")})
		if got.Verdict != want || got.Message == "" {
			t.Errorf("with a bare node that is Ready=%q: %+v, want %s", ready, got, want)
		}
	}
}

// The scheduler plugins and mechanics.Untolerated agree on every kind of toleration, including numeric comparisons.
func TestTolerationsAgree(t *testing.T) {
	taint := corev1.Taint{Key: "disk", Value: "5", Effect: corev1.TaintEffectNoSchedule}
	tainted := node("a", "2")
	tainted.Spec.Taints = []corev1.Taint{taint}
	c, err := scheduler.New(evidence.New(evidence.Data{Nodes: []*evidence.Node{tainted}}))
	if err != nil {
		t.Fatal(err)
	}
	for _, tol := range []corev1.Toleration{
		{}, {Operator: corev1.TolerationOpExists}, {Key: "disk", Operator: corev1.TolerationOpExists}, {Key: "cpu", Operator: corev1.TolerationOpExists},
		{Key: "disk", Value: "5"}, {Key: "disk", Operator: corev1.TolerationOpEqual, Value: "6"}, {Key: "disk", Operator: corev1.TolerationOpGt, Value: "4"},
		{Key: "disk", Operator: corev1.TolerationOpGt, Value: "5"}, {Key: "disk", Operator: corev1.TolerationOpLt, Value: "6"},
		{Key: "disk", Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute},
	} {
		web := spec("1")
		web.Tolerations = []corev1.Toleration{tol}
		fits := len(c.Fit(&evidence.Pod{Namespace: "default", Name: "web", Spec: web}).Feasible) == 1
		if untolerated := mechanics.Untolerated(web.Tolerations, tainted.Spec.Taints); fits != (untolerated == nil) {
			t.Errorf("toleration %v: the scheduler says fits %v, mechanics that the untolerated taint is %v", tol, fits, untolerated)
		}
	}
}

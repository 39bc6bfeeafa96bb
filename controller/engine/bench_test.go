package engine

import (
	"fmt"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/api/v1alpha1"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// fill adds a cluster whose first nodes are sick.
func fill(b *collect.Builder, nodes, podsPerNode, sick int) {
	ago := func(d time.Duration) metav1.Time { return metav1.NewTime(noon.Add(-d)) }
	for i := range nodes {
		n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("node-%04d", i), CreationTimestamp: ago(720 * time.Hour)}}
		n.Labels = map[string]string{"agentpool": fmt.Sprint("pool", i%10), "topology.kubernetes.io/zone": fmt.Sprint("zone-", i%3)}
		ready := corev1.NodeCondition{Type: corev1.NodeReady, Status: corev1.ConditionTrue, LastTransitionTime: ago(time.Hour), LastHeartbeatTime: ago(10 * time.Second)}
		if i < sick {
			ready.Status, ready.Reason, ready.LastTransitionTime = corev1.ConditionFalse, "KubeletNotReady", ago(time.Duration(i)*time.Minute)
			ready.Message = "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized"
		}
		n.Status.Conditions = []corev1.NodeCondition{ready}
		b.AddObject(n)
		lease := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Namespace: corev1.NamespaceNodeLease, Name: n.Name}}
		lease.Spec.RenewTime = new(metav1.NewMicroTime(noon.Add(-5 * time.Second)))
		b.AddObject(lease)
		for j := range podsPerNode {
			p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: fmt.Sprint("team-", j%20), Name: fmt.Sprintf("p-%d-%d", i, j), CreationTimestamp: ago(time.Hour)}}
			p.Spec.NodeName = n.Name
			p.Spec.Containers = []corev1.Container{{Name: "app", Image: "registry.example.com/app:1"}}
			p.Status.Phase = corev1.PodRunning
			p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: ago(time.Hour)}}
			b.AddObject(p)
		}
	}
	for _, k := range essential {
		b.Cover(k, evidence.Complete)
	}
	b.TakenAt(noon)
}

// BenchmarkJudgeNode judges a node by its part.
func BenchmarkJudgeNode(b *testing.B) {
	k, err := NewKnowledge("test")
	if err != nil {
		b.Fatal(err)
	}
	builder := collect.NewBuilder(evidence.Source{Kind: "cluster"}, k.signatures)
	fill(builder, 20, 30, 1)
	s := builder.Snapshot()
	for b.Loop() {
		sick, well := k.JudgeNode("node-0000", s.OfNode("node-0000")), k.JudgeNode("node-0001", s.OfNode("node-0001"))
		if sick.Verdict != v1alpha1.VerdictBroken || well.Verdict != v1alpha1.VerdictClear {
			b.Fatalf("%s, %s", sick.Verdict, well.Verdict)
		}
	}
}

// BenchmarkJudge judges the largest cluster that Kubernetes supports, with 50 sick nodes, and reports how long the parts take.
func BenchmarkJudge(b *testing.B) {
	k, err := NewKnowledge("test")
	if err != nil {
		b.Fatal(err)
	}
	var build, rules, whole, each time.Duration
	for b.Loop() {
		b.StopTimer()
		builder := collect.NewBuilder(evidence.Source{Kind: "cluster"}, k.signatures)
		fill(builder, 5000, 30, 50)
		b.StartTimer()
		begun := time.Now()
		s := builder.Snapshot()
		built := time.Now()
		judged := triage.Judge(k.input(s))
		ruled := time.Now()
		r := judged.Report()
		reported := time.Now()
		if j := k.judgement(s, judged); len(j.Unclear) != 50 {
			b.Fatalf("%d nodes are not clear, %s", len(j.Unclear), r.Verdict)
		}
		build, rules, whole, each = build+built.Sub(begun), rules+ruled.Sub(built), whole+reported.Sub(ruled), each+time.Since(reported)
	}
	for name, d := range map[string]time.Duration{"build": build, "rules": rules, "report": whole, "all": each} {
		b.ReportMetric(float64(d.Milliseconds())/float64(b.N), "ms-"+name)
	}
}

package enginetest

import (
	"fmt"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/controller/engine"
	"github.com/nodetriage/nodetriage/evidence"
)

// Fault is what is wrong with a node of a Cluster.
type Fault string

// The faults.
const (
	Silent      Fault = "silent"       // its lease and its conditions are old
	DiskFull    Fault = "disk-full"    // it reports disk pressure
	RuntimeDown Fault = "runtime-down" // it reports that its container runtime is down
)

// Cluster is a cluster of nodes node-000, node-001, ... in three zones and two pools, which take turns.
type Cluster struct {
	At          time.Time // of the evidence
	Nodes       int
	Faults      map[int]Fault     // by number of the node
	Since       map[int]time.Time // when a fault began; default: five minutes before At
	Annotations map[string]map[string]string
}

// Name returns the name of a node.
func Name(i int) string { return fmt.Sprintf("node-%03d", i) }

// Judge judges the cluster.
func (c Cluster) Judge(t testing.TB) *engine.Judgement {
	t.Helper()
	var objects []runtime.Object
	for i := range c.Nodes {
		node, lease := c.node(i)
		objects = append(objects, node, lease)
	}
	return judge(t, c.At, objects)
}

// judge judges the cluster with these objects and no others.
func judge(t testing.TB, at time.Time, objects []runtime.Object) *engine.Judgement {
	t.Helper()
	knowledge, err := engine.NewKnowledge("test")
	if err != nil {
		t.Fatal(err)
	}
	b := collect.NewBuilder(evidence.Source{Kind: "cluster"}, knowledge.Signatures())
	b.TakenAt(at)
	for _, o := range objects {
		b.AddObject(o)
	}
	for _, k := range []evidence.Kind{evidence.Nodes, evidence.Leases, evidence.Pods, evidence.Events} {
		b.Cover(k, evidence.Complete)
	}
	return knowledge.Judge(b.Snapshot())
}

// leaseOf returns the lease of a node that was renewed at that time.
func leaseOf(name string, renewed time.Time) *coordinationv1.Lease {
	l := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Namespace: corev1.NamespaceNodeLease, Name: name}}
	l.Spec.RenewTime = new(metav1.NewMicroTime(renewed))
	return l
}

func (c Cluster) node(i int) (*corev1.Node, *coordinationv1.Lease) {
	name := Name(i)
	labels := map[string]string{
		corev1.LabelTopologyZone: string("abc"[i%3]), "agentpool": []string{"blue", "green"}[i/3%2],
	}
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID("uid-" + name), Labels: labels, Annotations: c.Annotations[name]}}
	n.Status.Addresses = []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: fmt.Sprintf("10.0.%d.%d", i/250, i%250+1)}}
	since, beat := c.At.Add(-5*time.Minute), c.At
	if t, is := c.Since[i]; is {
		since = t
	}
	ready := corev1.NodeCondition{Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "KubeletReady", LastHeartbeatTime: metav1.NewTime(beat)}
	switch c.Faults[i] {
	case Silent:
		beat = since.Add(-40 * time.Second)
		ready = corev1.NodeCondition{Type: corev1.NodeReady, Status: corev1.ConditionUnknown, Reason: "NodeStatusUnknown",
			Message: "Kubelet stopped posting node status.", LastHeartbeatTime: metav1.NewTime(beat), LastTransitionTime: metav1.NewTime(since)}
	case RuntimeDown:
		ready.Status, ready.Reason, ready.LastTransitionTime = corev1.ConditionFalse, "KubeletNotReady", metav1.NewTime(since)
		ready.Message = "container runtime is down"
	case DiskFull:
		n.Status.Conditions = append(n.Status.Conditions, corev1.NodeCondition{
			Type: corev1.NodeDiskPressure, Status: corev1.ConditionTrue, Reason: "KubeletHasDiskPressure", LastHeartbeatTime: metav1.NewTime(beat), LastTransitionTime: metav1.NewTime(since)})
	}
	n.Status.Conditions = append(n.Status.Conditions, ready)
	return n, leaseOf(name, beat)
}

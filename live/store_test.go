package live_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/live"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules"
)

var (
	noon  = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	whole = []evidence.Kind{evidence.Nodes, evidence.Pods, evidence.Events}
)

func ago(d time.Duration) metav1.Time { return metav1.NewTime(noon.Add(-d)) }

// cluster is what a watch brings of nodes with pods; every seventh node is short of room and evicts, every eleventh cannot start pods.
func cluster(nodes, pods int) []live.Object {
	var out []live.Object
	for i := range nodes {
		n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("node-%04d", i), CreationTimestamp: ago(720 * time.Hour), UID: "n"}}
		n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue, LastTransitionTime: ago(time.Hour), LastHeartbeatTime: ago(10 * time.Second)}}
		if i%7 == 3 {
			n.Status.Conditions = append(n.Status.Conditions, corev1.NodeCondition{
				Type: corev1.NodeDiskPressure, Status: corev1.ConditionTrue, Reason: "KubeletHasDiskPressure", LastTransitionTime: ago(20 * time.Minute), LastHeartbeatTime: ago(10 * time.Second)})
			out = append(out, event("Node", "", n.Name, "EvictionThresholdMet", "Attempting to reclaim ephemeral-storage", n.Name))
		}
		out = append(out, n)
		for j := range pods {
			p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: fmt.Sprintf("p-%d-%d", i, j), CreationTimestamp: ago(time.Hour)}}
			p.Spec.NodeName = n.Name
			p.Spec.Containers = []corev1.Container{{Name: "app", Image: "registry.example.com/app:1"}}
			p.Status.Phase = corev1.PodRunning
			p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: ago(time.Hour)}}
			if i%11 == 5 && j == 0 {
				p.Status.Phase, p.Status.Conditions = corev1.PodPending, nil
				out = append(out, event("Pod", "shop", p.Name, "FailedCreatePodSandBox",
					`Failed to create pod sandbox: plugin type="bridge" failed (add): failed to find plugin "bridge" in path [/opt/cni/bin]`, n.Name))
			}
			out = append(out, p)
		}
	}
	return out
}

func event(kind, namespace, name, reason, message, host string) *corev1.Event {
	return &corev1.Event{
		ObjectMeta: metav1.ObjectMeta{Namespace: cmp.Or(namespace, "default"), Name: name + "." + reason}, Type: "Warning", Reason: reason, Message: message, Count: 20,
		InvolvedObject: corev1.ObjectReference{Kind: kind, Namespace: namespace, Name: name}, FirstTimestamp: ago(15 * time.Minute), LastTimestamp: ago(10 * time.Second),
		Source: corev1.EventSource{Component: "kubelet", Host: host},
	}
}

func knowledge(t testing.TB) triage.Input {
	cat, set := casetest.Builtin(t)
	return triage.Input{Catalog: cat, Signatures: set, Rulebook: rules.All().OfNode(), Now: noon}
}

func judged(in triage.Input, s *evidence.Snapshot, node string) []string {
	in.Snapshot, in.Nodes = s, []string{node}
	r := triage.Run(in)
	var out []string
	for _, f := range r.Findings {
		out = append(out, fmt.Sprint(f.Cause, " ", f.Subject, " ", f.Certainty, " ", len(f.Evidence)))
	}
	for _, s := range r.Symptoms {
		out = append(out, fmt.Sprint(s.ID, " ", s.Subject, " ", s.ExplainedBy))
	}
	return append(out, string(r.Verdict))
}

// Of each node the store gives what a whole Snapshot has of it, and the rules of nodes say the same of both.
func TestStoreJudgesAsTheWhole(t *testing.T) {
	in := knowledge(t)
	objects := cluster(40, 5)
	store := live.NewStore(evidence.Source{Kind: "cluster"}, in.Signatures, whole...)
	b := collect.NewBuilder(evidence.Source{Kind: "cluster"}, in.Signatures)
	b.TakenAt(noon)
	for _, o := range objects {
		store.Put(o)
		b.AddObject(o.DeepCopyObject())
	}
	for _, k := range whole {
		b.Cover(k, evidence.Complete)
	}
	all := b.Snapshot()
	broken := 0
	for _, n := range all.Nodes() {
		want, got := judged(in, all.OfNode(n.Name), n.Name), judged(in, store.Node(n.Name, noon), n.Name)
		if !slices.Equal(got, want) {
			t.Errorf("%s: the store says %v, the whole %v", n.Name, got, want)
		}
		if len(want) > 1 {
			broken++
		}
	}
	if broken < 8 {
		t.Errorf("only %d nodes have anything wrong", broken)
	}
}

// What changes on a node is told by the node's name; what is dropped is forgotten.
func TestPutAndDrop(t *testing.T) {
	in := knowledge(t)
	store := live.NewStore(evidence.Source{Kind: "cluster"}, in.Signatures, whole...)
	for _, o := range cluster(12, 2) {
		store.Put(o)
	}
	e := event("Pod", "shop", "p-2-0", "FailedMount", `MountVolume.SetUp failed for volume "x" : rpc error: code = DeadlineExceeded`, "node-0002")
	if got := store.Put(e); !slices.Equal(got, []string{"node-0002"}) {
		t.Errorf("an event of a pod of node-0002 changes %q", got)
	}
	if n := len(store.Node("node-0002", noon).Events()); n != 1 {
		t.Errorf("node-0002 has %d events, and one was put", n)
	}
	if got := store.Drop(e); !slices.Equal(got, []string{"node-0002"}) {
		t.Errorf("the end of that event changes %q", got)
	}
	if n := len(store.Node("node-0002", noon).Events()); n != 0 {
		t.Errorf("node-0002 has %d events after the only one was dropped", n)
	}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "p-2-0"}}
	pod.Spec.NodeName = "node-0003" // made anew elsewhere
	if got := store.Put(pod); !slices.Equal(got, []string{"node-0002", "node-0003"}) {
		t.Errorf("a pod of node-0002 that was made anew on node-0003 changes %q", got)
	}
	if a, b := len(store.Node("node-0002", noon).Pods()), len(store.Node("node-0003", noon).Pods()); a != 1 || b != 3 {
		t.Errorf("after a pod of node-0002 was made anew on node-0003 they have %d and %d pods", a, b)
	}
}

// Objects of two kinds may have one name: neither is the other, and only what tells of a node belongs to it.
func TestKindsApart(t *testing.T) {
	in := knowledge(t)
	store := live.NewStore(evidence.Source{Kind: "cluster"}, in.Signatures, whole...)
	for _, o := range cluster(1, 0) {
		store.Put(o)
	}
	set := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "set"}}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "pod",
		OwnerReferences: []metav1.OwnerReference{{Kind: "ReplicaSet", Name: "web", UID: "set", Controller: new(true)}}}}
	pod.Spec.NodeName = "node-0000"
	lease := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Namespace: corev1.NamespaceNodeLease, Name: "node-0000", UID: "lease"}}
	class := &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: "node-0000", UID: "class"}}
	for _, o := range []live.Object{set, &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "deployment"}}, pod, lease, class} {
		store.Put(o)
	}
	d := store.Node("node-0000", noon).Data()
	if len(d.Workloads) != 1 || d.Workloads[0].Kind != "ReplicaSet" || len(d.Leases) != 1 || len(d.StorageClasses) != 0 {
		t.Errorf("the node has %d workloads, %d leases and %d storage classes; it has one ReplicaSet and one lease", len(d.Workloads), len(d.Leases), len(d.StorageClasses))
	}
}

// BenchmarkChange judges one node of 5,000 after its object changed.
func BenchmarkChange(b *testing.B) {
	in := knowledge(b)
	store := live.NewStore(evidence.Source{Kind: "cluster"}, in.Signatures, whole...)
	objects := cluster(5000, 30)
	for _, o := range objects {
		store.Put(o)
	}
	changed := objects[0].DeepCopyObject().(*corev1.Node)
	changed.Status.Conditions[0].Status = corev1.ConditionUnknown
	changed.Status.Conditions[0].Reason = "NodeStatusUnknown"
	b.ResetTimer()
	for range b.N {
		node := store.Put(changed)[0]
		if list := judged(in, store.Node(node, noon), node); len(list) < 2 {
			b.Fatal("a silent node has nothing wrong")
		}
	}
}

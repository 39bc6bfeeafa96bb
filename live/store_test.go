package live_test

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/collect/survey"
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

// cluster returns the watch events of nodes with pods; every seventh node has DiskPressure and evicts, every eleventh
// cannot start pods.
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

// newStore returns a store whose lists are current and empty.
func newStore() *live.Store {
	s := live.NewStore(survey.Targets())
	s.Listed()
	return s
}

// partOf returns the part of a store that belongs to a node.
func partOf(in triage.Input, s *live.Store, node string) *evidence.Snapshot {
	b := collect.NewBuilder(evidence.Source{Kind: "cluster"}, in.Signatures)
	b.TakenAt(noon)
	s.AddNode(b, node)
	return b.Snapshot()
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

// The store returns the same data per node as a whole Snapshot, and node rules give the same findings.
func TestStoreJudgesAsTheWhole(t *testing.T) {
	in := knowledge(t)
	objects := cluster(40, 5)
	store := newStore()
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
		want, got := judged(in, all.OfNode(n.Name), n.Name), judged(in, partOf(in, store, n.Name), n.Name)
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

// A change returns the name of its node, and a dropped object is removed.
func TestPutAndDrop(t *testing.T) {
	in := knowledge(t)
	store := newStore()
	for _, o := range cluster(12, 2) {
		store.Put(o)
	}
	store.Changed()
	e := event("Pod", "shop", "p-2-0", "FailedMount", `MountVolume.SetUp failed for volume "x" : rpc error: code = DeadlineExceeded`, "node-0002")
	store.Put(e)
	if got, _ := store.Changed(); !slices.Equal(got, []string{"node-0002"}) {
		t.Errorf("an event of a pod of node-0002 changes %q", got)
	}
	if n := len(partOf(in, store, "node-0002").Events()); n != 1 {
		t.Errorf("node-0002 has %d events, and one was put", n)
	}
	store.Drop(e)
	if got, _ := store.Changed(); !slices.Equal(got, []string{"node-0002"}) {
		t.Errorf("the end of that event changes %q", got)
	}
	if n := len(partOf(in, store, "node-0002").Events()); n != 0 {
		t.Errorf("node-0002 has %d events after the only one was dropped", n)
	}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "p-2-0"}}
	pod.Spec.NodeName = "node-0003" // recreated on another node
	store.Put(pod)
	if got, _ := store.Changed(); !slices.Equal(got, []string{"node-0002", "node-0003"}) {
		t.Errorf("a pod of node-0002 that was recreated on node-0003 changes %q", got)
	}
	if a, b := len(partOf(in, store, "node-0002").Pods()), len(partOf(in, store, "node-0003").Pods()); a != 1 || b != 3 {
		t.Errorf("after a pod of node-0002 was made anew on node-0003 they have %d and %d pods", a, b)
	}
}

// Objects of two kinds may have the same name. They differ, and only objects with a node belong to it.
func TestKindsApart(t *testing.T) {
	in := knowledge(t)
	store := newStore()
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
	d := partOf(in, store, "node-0000").Data()
	if len(d.Workloads) != 1 || d.Workloads[0].Kind != "ReplicaSet" || len(d.Leases) != 1 || len(d.StorageClasses) != 0 {
		t.Errorf("the node has %d workloads, %d leases and %d storage classes; it has one ReplicaSet and one lease", len(d.Workloads), len(d.Leases), len(d.StorageClasses))
	}
}

// BenchmarkChange judges one node of 5,000 after its object changed.
func BenchmarkChange(b *testing.B) {
	in := knowledge(b)
	store := newStore()
	objects := cluster(5000, 30)
	for _, o := range objects {
		store.Put(o)
	}
	changed := objects[0].DeepCopyObject().(*corev1.Node)
	changed.Status.Conditions[0].Status = corev1.ConditionUnknown
	changed.Status.Conditions[0].Reason = "NodeStatusUnknown"
	b.ResetTimer()
	for range b.N {
		store.Put(changed)
		changed, _ := store.Changed()
		node := changed[0]
		if list := judged(in, partOf(in, store, node), node); len(list) < 2 {
			b.Fatal("a silent node has nothing wrong")
		}
	}
}

// A list is used only while it is complete and follows all changes. Otherwise a survey reads it from the server.
func TestCurrentLists(t *testing.T) {
	store := live.NewStore(survey.Targets())
	counted := func(resource string) (int, bool) { return store.Add(&evidence.Data{}, resource, "") }
	if _, current := counted("pods"); current {
		t.Error("a list that was never read is current")
	}
	store.Listed()
	for _, o := range cluster(3, 4) {
		store.Put(o)
	}
	if n, current := counted("pods"); n != 12 || !current {
		t.Errorf("%d pods, current %v; there are 12", n, current)
	}
	store.Follow("pods", false, nil)
	if _, current := counted("pods"); current {
		t.Error("a list whose watch ended is current")
	}
	if _, current := counted("nodes"); !current {
		t.Error("the list of nodes ended with the watch of pods")
	}
	store.Follow("pods", true, nil)
	if n, current := counted("pods"); n != 12 || !current {
		t.Errorf("%d pods, current %v after the watch continued; there are 12", n, current)
	}
	if _, current := counted("secrets"); current {
		t.Error("a list that nobody watches is current")
	}
}

// Heartbeats of nodes are no change. New objects and changed ones are.
func TestChanges(t *testing.T) {
	store := newStore()
	woken := func() bool {
		select {
		case <-store.Changes():
			return true
		default:
			return false
		}
	}
	lease := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Namespace: corev1.NamespaceNodeLease, Name: "node-0000"}}
	if store.Put(lease); !woken() {
		t.Error("the first heartbeat of a node is no change")
	}
	if store.Put(lease); woken() {
		t.Error("a heartbeat is a change")
	}
	for _, o := range cluster(1, 1) {
		store.Put(o)
	}
	if !woken() || woken() {
		t.Error("several changes wake once")
	}
	routine := event("Pod", "shop", "p-0-0", "Pulled", "Container image already present on machine", "node-0000")
	routine.Type = corev1.EventTypeNormal
	if store.Put(routine); woken() {
		t.Error("an event that no survey keeps is a change")
	}
	if store.Drop(lease); !woken() {
		t.Error("a deleted heartbeat is no change")
	}
	store.Changed()
	store.Put(lease)
	if nodes, beats := store.Changed(); len(nodes) != 0 || !slices.Equal(beats, []string{"node-0000"}) {
		t.Errorf("a heartbeat changes %q, and is one of %q", nodes, beats)
	}
}

// Several Snapshots of the same objects may be built and judged at the same time: nothing changes the objects.
func TestSnapshotsShareObjects(t *testing.T) {
	in := knowledge(t)
	store := newStore()
	for _, o := range cluster(12, 3) {
		store.Put(o)
	}
	want := judged(in, partOf(in, store, "node-0003"), "node-0003")
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			if got := judged(in, partOf(in, store, "node-0003"), "node-0003"); !slices.Equal(got, want) {
				t.Errorf("another Snapshot says %v, want %v", got, want)
			}
		})
	}
	wait.Wait()
}

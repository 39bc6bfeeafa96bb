package survey

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
)

const shop = "testdata/shop.yaml"

// names returns the names of objects, sorted.
func names[T any](list []T, name func(T) string) []string {
	var out []string
	for _, x := range list {
		out = append(out, name(x))
	}
	slices.Sort(out)
	return out
}

func nodeNames(s *evidence.Snapshot) []string {
	return names(s.Data().Nodes, func(n *evidence.Node) string { return n.Name })
}

func podNames(s *evidence.Snapshot) []string {
	return names(s.Data().Pods, func(p *evidence.Pod) string { return p.Name })
}

func same(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// A survey of the cluster reads every kind completely, asks the kubelets of the worst nodes, and names the managed service.
func TestCluster(t *testing.T) {
	server := newServer(t, shop)
	s := server.read(t, func(r *kube.Reader, b *collect.Builder, opt Options) error {
		opt.Probes = 1
		return Cluster(t.Context(), r, b, opt)
	})
	d := s.Data()
	same(t, "nodes", nodeNames(s), "worker-1", "worker-2", "worker-3", "worker-4")
	same(t, "pods", podNames(s), "db-0", "elsewhere", "waiting", "web-1", "web-2")
	same(t, "kubelets", names(d.Kubelets, func(k *evidence.Kubelet) string { return k.Node }), "worker-1")
	for _, kind := range []evidence.Kind{evidence.Nodes, evidence.Pods, evidence.PDBs, evidence.Workloads, evidence.Claims, evidence.Volumes, evidence.Webhooks, evidence.NodeMetrics} {
		if s.Covers(kind) != evidence.Complete {
			t.Errorf("%s: coverage %v", kind, s.Covers(kind))
		}
	}
	if !slices.ContainsFunc(d.Gaps, func(g evidence.Gap) bool { return g.What == "kubelets of 3 further nodes with problems" }) {
		t.Errorf("gaps: %+v", d.Gaps)
	}
	if d.Server.Version != "v1.36.3" || d.Server.Provider != "aks" || d.TakenAt.IsZero() {
		t.Errorf("server %+v at %s", d.Server, d.TakenAt)
	}
	if got := d.Endpoints["guard/guard"]; got != 1 {
		t.Errorf("%d endpoints of the webhook", got)
	}
}

// What the user must not read is a gap with the permission that is missing. Everything else is read.
func TestClusterWithoutPermission(t *testing.T) {
	server := newServer(t, shop)
	server.forbids = "poddisruptionbudgets"
	s := server.read(t, func(r *kube.Reader, b *collect.Builder, opt Options) error { return Cluster(t.Context(), r, b, opt) })
	if s.Covers(evidence.PDBs) != evidence.NotRead || s.Covers(evidence.Pods) != evidence.Complete {
		t.Errorf("PodDisruptionBudgets %v, pods %v", s.Covers(evidence.PDBs), s.Covers(evidence.Pods))
	}
	if !slices.ContainsFunc(s.Data().Gaps, func(g evidence.Gap) bool {
		return strings.Contains(g.What, "poddisruptionbudgets") && strings.Contains(g.Why, "forbidden")
	}) {
		t.Errorf("gaps: %+v", s.Data().Gaps)
	}
}

// A survey of a node reads the node, its healthy peers, and what its pods depend on. It does not read other pods.
func TestNodes(t *testing.T) {
	server := newServer(t, shop)
	s := server.read(t, func(r *kube.Reader, b *collect.Builder, opt Options) error {
		return Nodes(t.Context(), r, b, []string{"worker-1"}, opt)
	})
	d := s.Data()
	same(t, "the node and the peers that are healthy", nodeNames(s), "worker-1", "worker-2")
	same(t, "its pods, and those of kube-system without a node", podNames(s), "db-0", "web-1")
	same(t, "the controllers of its pods", names(d.Workloads, func(w *evidence.Workload) string { return w.Kind }), "Deployment", "ReplicaSet", "StatefulSet")
	same(t, "events about it and its unhealthy pods", names(d.Events, func(e *evidence.Event) string { return e.Reason }), "NodeNotReady", "Unhealthy")
	same(t, "budgets of the namespaces of its pods", names(d.PDBs, func(b *evidence.PDB) string { return b.Namespace }), "shop")
	if len(d.Claims) != 1 || len(d.Volumes) != 1 || len(d.CSRs) != 1 || len(d.Leases) != 1 {
		t.Errorf("%d claims, %d volumes, %d certificate requests, %d leases", len(d.Claims), len(d.Volumes), len(d.CSRs), len(d.Leases))
	}
	if s.Covers(evidence.Nodes) == evidence.Complete || s.Covers(evidence.Events) == evidence.Complete || s.Covers(evidence.Pods) != evidence.Complete {
		t.Errorf("nodes %v, events %v, pods %v", s.Covers(evidence.Nodes), s.Covers(evidence.Events), s.Covers(evidence.Pods))
	}
	// The attachments have the names that the controller gives them: one of the volume of db-0, one that the node still reports.
	same(t, "attachments", server.requested("/apis/storage.k8s.io/v1/volumeattachments/"),
		slices.Sorted(slices.Values([]string{
			"/apis/storage.k8s.io/v1/volumeattachments/" + attachmentName("disk.csi.azure.com", "disk-1", "worker-1"),
			"/apis/storage.k8s.io/v1/volumeattachments/" + attachmentName("disk.csi.azure.com", "left-behind", "worker-1"),
		}))...)
}

// A misspelt node is an error that lists nodes of the cluster.
func TestNodesUnknown(t *testing.T) {
	newServer(t, shop).read(t, func(r *kube.Reader, b *collect.Builder, opt Options) error {
		var unknown *NoNodeError
		if err := Nodes(t.Context(), r, b, []string{"worker-x"}, opt); !errors.As(err, &unknown) || !slices.Contains(unknown.Some, "worker-1") {
			t.Errorf("the error is %v", err)
		}
		return nil
	})
}

// Before a drain, only a part of a large cluster is read: the pods on the node, pods that affect where those can run, and pods on
// nodes with room for them. A small cluster is read completely.
func TestEvacuation(t *testing.T) {
	of := func(server *apiServer) *evidence.Snapshot {
		return server.read(t, func(r *kube.Reader, b *collect.Builder, opt Options) error {
			return Evacuation(t.Context(), r, b, []string{"worker-1"}, opt)
		})
	}
	small := newServer(t, shop)
	if s := of(small); s.Covers(evidence.Pods) != evidence.Complete || len(s.Data().PodsReadOn) > 0 {
		t.Errorf("a small cluster: pods %v, read on %q", s.Covers(evidence.Pods), s.Data().PodsReadOn)
	}
	large := newServer(t, shop)
	large.nodes = 5000
	s := of(large)
	same(t, "nodes", nodeNames(s), "worker-1", "worker-2", "worker-3", "worker-4")
	same(t, "nodes whose pods were read", names(s.Data().PodsReadOn, func(n string) string { return n }), "worker-1", "worker-2", "worker-4")
	same(t, "pods", podNames(s), "db-0", "elsewhere", "waiting", "web-1", "web-2")
	if len(s.Data().Claims) != 1 || len(s.Data().PDBs) != 1 {
		t.Errorf("%d claims, %d PodDisruptionBudgets", len(s.Data().Claims), len(s.Data().PDBs))
	}
}

// To explain a pod or a workload of a large cluster, the nodes of its pods are read. Without its pods, everything is.
func TestSubject(t *testing.T) {
	of := func(subject evidence.Subject) *evidence.Snapshot {
		server := newServer(t, shop)
		server.nodes = 5000
		return server.read(t, func(r *kube.Reader, b *collect.Builder, opt Options) error {
			return Subject(t.Context(), r, b, subject, opt)
		})
	}
	for _, c := range []struct {
		subject evidence.Subject
		whole   bool // the whole cluster is read
		on      []string
	}{
		{evidence.PodSubject("shop", "db-0"), false, []string{"worker-1"}},
		{evidence.Subject{Kind: "Deployment", Namespace: "shop", Name: "web"}, false, []string{"worker-1", "worker-4"}},
		{evidence.Subject{Kind: "StatefulSet", Name: "db"}, false, []string{"worker-1"}},
		{evidence.Subject{Kind: "ReplicaSet", Namespace: "shop", Name: "web-5f"}, false, []string{"worker-1", "worker-4"}},
		{evidence.PodSubject("other", "waiting"), true, nil}, // it could go anywhere
		{evidence.PodSubject("shop", "gone"), true, nil},
		{evidence.Subject{Kind: "Job", Namespace: "shop", Name: "gone"}, true, nil},
		{evidence.Subject{Kind: "CronJob", Namespace: "shop", Name: "web"}, true, nil},
	} {
		s := of(c.subject)
		same(t, c.subject.String()+": nodes whose pods were read", names(s.Data().PodsReadOn, func(n string) string { return n }), c.on...)
		if whole := s.Covers(evidence.Events) == evidence.Complete; whole != c.whole {
			t.Errorf("%s: the whole cluster is read: %v", c.subject, whole)
		}
	}
}

// The answers of a kubelet become evidence: health, configuration, and the disks of its node. An endpoint that is missing is a gap.
func TestKubelet(t *testing.T) {
	server := newServer(t, shop)
	server.kubelet = map[string]string{
		"/healthz":       "ok",
		"/configz":       `{"kubeletconfig": {"cgroupDriver": "systemd", "maxPods": 30, "enableSystemLogQuery": false}}`,
		"/stats/summary": `{"node": {"nodeName": "worker-1", "fs": {"time": "2026-06-02T09:00:00Z", "availableBytes": 1000, "capacityBytes": 100000, "usedBytes": 99000, "inodesFree": 10, "inodes": 100}}, "pods": []}`,
	}
	s := server.read(t, func(r *kube.Reader, b *collect.Builder, opt Options) error {
		return Nodes(t.Context(), r, b, []string{"worker-1"}, opt)
	})
	k := s.Kubelet("worker-1")
	if k == nil || k.Healthz != "ok" || k.Config["cgroupDriver"] != "systemd" {
		t.Fatalf("kubelet %+v", k)
	}
	if !slices.ContainsFunc(s.Data().Gaps, func(g evidence.Gap) bool { return strings.Contains(g.What, "/metrics of node/worker-1") }) {
		t.Errorf("gaps: %+v", s.Data().Gaps)
	}
}

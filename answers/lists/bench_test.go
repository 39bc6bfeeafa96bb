package lists_test

import (
	"fmt"
	"io"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/nodetriage/nodetriage/answers/lists"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics/placement/scheduler"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/triage"
)

// The size of the cluster: the limits that Kubernetes supports.
const (
	bigNodes      = 5000
	bigPods       = 150_000
	bigPools      = 100
	bigNamespaces = 500
	bigApps       = 5000
	bigBudgets    = 2000
	bigSets       = 30
)

var bigAt = time.Date(2026, 6, 2, 10, 0, 0, 0, time.UTC)

// bigCluster has some unusual objects: 1 node in 100 is unreachable, 1 pod in 200 is not running.
func bigCluster() *evidence.Snapshot {
	d := evidence.Data{TakenAt: bigAt, Coverage: map[evidence.Kind]evidence.Coverage{}, Server: evidence.Server{Version: "v1.36.3"}}
	for _, k := range []evidence.Kind{evidence.Nodes, evidence.Pods, evidence.PDBs, evidence.Workloads} {
		d.Coverage[k] = evidence.Complete
	}
	room := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("16"), corev1.ResourceMemory: resource.MustParse("64Gi"), corev1.ResourcePods: resource.MustParse("110")}
	for i := range bigNodes {
		n := &corev1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("node-%04d", i), Labels: map[string]string{
				"pool": fmt.Sprintf("pool-%02d", i%bigPools), corev1.LabelTopologyZone: fmt.Sprint(i % 3), corev1.LabelHostname: fmt.Sprintf("node-%04d", i),
			}},
			Status: corev1.NodeStatus{Capacity: room, Allocatable: room, Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}},
		}
		if i%100 == 17 {
			n.Status.Conditions[0].Status = corev1.ConditionUnknown
		}
		d.Nodes = append(d.Nodes, &evidence.Node{Node: n})
	}
	for i := range bigApps {
		spec := &corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("100m")}}}}}
		if i%10 == 0 {
			spec.NodeSelector = map[string]string{"pool": fmt.Sprintf("pool-%02d", i%bigPools)}
		}
		labels := map[string]string{"app": fmt.Sprint(i)}
		for j := range bigPods / bigApps {
			node := (i*7 + j*bigPools) % bigNodes
			p := &evidence.Pod{
				Namespace: fmt.Sprintf("team-%03d", i%bigNamespaces), Name: fmt.Sprintf("app-%d-%d", i, j), Node: fmt.Sprintf("node-%04d", node), Labels: labels, Spec: spec,
				Phase: corev1.PodRunning, Status: "Running", Ready: evidence.True, Created: bigAt.Add(-time.Hour), Owner: evidence.Owner{Kind: "ReplicaSet", Name: fmt.Sprintf("app-%d", i)},
			}
			if i%200 == 0 {
				p.Node, p.Phase, p.Status, p.Ready = "", corev1.PodPending, "Pending", evidence.False
				p.Conditions = []evidence.PodCondition{{Type: "PodScheduled", Status: "False", Message: fmt.Sprintf("0/5000 nodes are available: %d Insufficient cpu.", j)}}
			}
			d.Pods = append(d.Pods, p)
		}
	}
	for i := range bigBudgets {
		least := intstr.FromInt32(1)
		if i%50 == 0 {
			least = intstr.FromString("100%")
		}
		d.PDBs = append(d.PDBs, &evidence.PDB{PodDisruptionBudget: &policyv1.PodDisruptionBudget{
			ObjectMeta: metav1.ObjectMeta{Namespace: fmt.Sprintf("team-%03d", i%bigNamespaces), Name: fmt.Sprintf("app-%d", i)},
			Spec:       policyv1.PodDisruptionBudgetSpec{MinAvailable: &least, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": fmt.Sprint(i)}}},
			Status:     policyv1.PodDisruptionBudgetStatus{ExpectedPods: 30, CurrentHealthy: 30, DesiredHealthy: 29, DisruptionsAllowed: 1},
		}})
	}
	for i := range bigSets {
		d.Workloads = append(d.Workloads, &evidence.Workload{Kind: "DaemonSet", Namespace: "kube-system", Name: fmt.Sprintf("agent-%d", i), Replicas: bigNodes, Template: &corev1.PodSpec{}})
	}
	return evidence.New(d)
}

// BenchmarkLists measures each list of a large cluster, and its page on a terminal, after the evidence was read.
func BenchmarkLists(b *testing.B) {
	s := bigCluster()
	opt := lists.PoolOptions{Report: &triage.Report{}, Board: scheduler.New}
	style := report.Style{Width: 80}
	run := func(name string, show func() error) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := show(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	pods := func(by lists.Filter) func() error {
		return func() error {
			p, err := lists.NewPods(s, time.Time{}, by, "")
			if err != nil {
				return err
			}
			return report.Pods(io.Discard, p, style)
		}
	}
	budgets := func(by lists.Filter) func() error {
		return func() error {
			l, err := lists.NewBudgets(s, time.Time{}, by, "")
			if err != nil {
				return err
			}
			return report.Budgets(io.Discard, l, style)
		}
	}
	sets := func(by lists.Filter) func() error {
		return func() error {
			l, err := lists.NewDaemonSets(s, time.Time{}, by, "")
			if err != nil {
				return err
			}
			return report.DaemonSets(io.Discard, l, style)
		}
	}
	pools := func(by lists.Filter) func() error {
		return func() error {
			l, err := lists.NewPools(s, time.Time{}, opt, by, "")
			if err != nil {
				return err
			}
			return report.Pools(io.Discard, l, style)
		}
	}
	run("pods/all", pods(lists.Filter{}))
	run("pods/not-running", pods(lists.Filter{Odd: true}))
	run("pods/namespace", pods(lists.Filter{Namespace: "team-007"}))
	run("pods/node", pods(lists.Filter{Node: "node-0007"}))
	run("budgets/all", budgets(lists.Filter{}))
	run("budgets/namespace", budgets(lists.Filter{Namespace: "team-007"}))
	run("budgets/node", budgets(lists.Filter{Node: "node-0007"}))
	run("daemonsets/all", sets(lists.Filter{}))
	run("pools/all", pools(lists.Filter{}))
	run("pools/one", pools(lists.Filter{Pool: "pool-07"}))
}

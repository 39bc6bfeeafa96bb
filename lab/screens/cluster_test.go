//go:build linux

package screens_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes"

	"github.com/nodetriage/nodetriage/lab"
	"github.com/nodetriage/nodetriage/lab/scenario"
)

const namespace = "shop"

// broken maps the real nodes to the scenarios that break them.
var broken = map[string]string{
	"real-1": "runtime-stopped", "real-2": "runtime-hung", "real-3": "disk-full", "real-4": "certificate-expired",
	"real-5": "cni-config-removed", "real-6": "kubelet-stopped",
}

// drained is the hollow node of the Deployment db.
const drained = "hollow-7"

// cluster has real nodes, each with the only pod of a Deployment.
type cluster struct {
	plane  *lab.ControlPlane
	client kubernetes.Interface
}

// newCluster starts a cluster of healthy nodes. The path of its folder always has the same length, because screens show it.
func newCluster(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{}
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("screens-%07d", os.Getpid()))
	t.Cleanup(func() { os.RemoveAll(dir) })
	var err error
	if c.plane, err = lab.Start(t.Context(), lab.Options{Machines: true, Dir: dir, Log: os.Stderr}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.plane.Stop)
	if c.client, err = c.plane.Client(); err != nil {
		t.Fatal(err)
	}
	var group errgroup.Group
	for range broken {
		group.Go(func() error { _, err := c.plane.AddMachine(t.Context()); return err })
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.plane.AddHollow(t.Context(), 2, nil); err != nil {
		t.Fatal(err)
	}
	must(t, "the hollow nodes are ready", func() bool { return c.ready(t.Context(), drained) && c.ready(t.Context(), "hollow-8") })
	if err := c.fill(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c
}

// ready reports whether pods are scheduled to the node.
func (c *cluster) ready(ctx context.Context, node string) bool {
	n, err := c.client.CoreV1().Nodes().Get(ctx, node, metav1.GetOptions{})
	if err != nil || len(n.Spec.Taints) > 0 {
		return false
	}
	return slices.ContainsFunc(n.Status.Conditions, func(c corev1.NodeCondition) bool {
		return c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue
	})
}

// fill creates a Deployment on every real node and on the node drained.
func (c *cluster) fill(ctx context.Context) error {
	if _, err := c.client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{}); err != nil {
		return err
	}
	for node := range broken {
		if err := c.deploy(ctx, "on-"+node, func(p *corev1.PodSpec) { p.NodeSelector = map[string]string{corev1.LabelHostname: node} }); err != nil {
			return err
		}
	}
	return c.deploy(ctx, "db", preferDrained)
}

// preferDrained places a pod on the node drained, and lets it run elsewhere.
func preferDrained(p *corev1.PodSpec) {
	there := corev1.NodeSelectorRequirement{Key: corev1.LabelHostname, Operator: corev1.NodeSelectorOpIn, Values: []string{drained}}
	p.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{
		{Weight: 100, Preference: corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{there}}},
	}}}
}

// deploy creates a Deployment with one pod.
func (c *cluster) deploy(ctx context.Context, name string, change func(*corev1.PodSpec)) error {
	grace, labels := int64(2), map[string]string{"app": name}
	pod := corev1.PodSpec{TerminationGracePeriodSeconds: &grace, Containers: []corev1.Container{{Name: "app", Image: lab.Image}}}
	change(&pod)
	_, err := c.client.AppsV1().Deployments(namespace).Create(ctx, &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: pod},
		},
	}, metav1.CreateOptions{})
	return err
}

// pending creates a Deployment that no node has room for.
func (c *cluster) pending(ctx context.Context) error {
	return c.deploy(ctx, "report", func(p *corev1.PodSpec) {
		p.Containers[0].Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("500")}
	})
}

// guarded cordons the node drained, and creates a PodDisruptionBudget that never allows an eviction of db.
func (c *cluster) guarded(ctx context.Context) error {
	one := intstr.FromInt32(1)
	_, err := c.client.PolicyV1().PodDisruptionBudgets(namespace).Create(ctx, &policyv1.PodDisruptionBudget{
		ObjectMeta: metav1.ObjectMeta{Name: "db"},
		Spec:       policyv1.PodDisruptionBudgetSpec{MinAvailable: &one, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "db"}}},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	cordon := []byte(`{"spec":{"unschedulable":true}}`)
	_, err = c.client.CoreV1().Nodes().Patch(ctx, drained, types.MergePatchType, cordon, metav1.PatchOptions{FieldManager: "kubectl-cordon"})
	return err
}

// calm removes the events of Services: a new API server reports once that it allocated its address, if it was slow.
func (c *cluster) calm(ctx context.Context) error {
	return c.client.CoreV1().Events(metav1.NamespaceDefault).DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{FieldSelector: "involvedObject.kind=Service"})
}

// registered is the age from which a node that is not Ready counts as broken. A younger one may still be joining.
const registered = 20 * time.Second

// grown reports whether all nodes have that age, and Leases.
func (c *cluster) grown(ctx context.Context) bool {
	nodes, err := c.client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return false
	}
	for _, n := range nodes.Items {
		lease, err := c.client.CoordinationV1().Leases(corev1.NamespaceNodeLease).Get(ctx, n.Name, metav1.GetOptions{})
		if err != nil || lease.Spec.RenewTime == nil || time.Since(n.CreationTimestamp.Time) <= registered {
			return false
		}
	}
	return true
}

// strike breaks the real nodes.
func (c *cluster) strike(ctx context.Context) error {
	var group errgroup.Group
	for node, name := range broken {
		group.Go(func() error {
			s, err := scenario.Named(name)
			if err != nil {
				return err
			}
			w, err := scenario.NewWorld(c.plane, node)
			if err != nil {
				return err
			}
			return s.Start(ctx, w)
		})
	}
	return group.Wait()
}

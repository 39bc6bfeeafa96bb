//go:build unix

package upgrade_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// cluster is a pool and its workloads. A node has capacity for four pods of one core.
type cluster struct {
	Nodes  int
	Apps   []app
	Naked  int  // pods without a controller
	Daemon bool // one more pod on every node
}

// app is a workload and its PodDisruptionBudget.
type app struct {
	Kind     string // Deployment or StatefulSet
	Replicas int32
	CPU      string // request of each pod
	Grace    int64
	Budget   budget
}

type budget struct {
	MinAvailable, MaxUnavailable *intstr.IntOrString
}

func (b budget) String() string {
	switch {
	case b.MinAvailable != nil:
		return "min available " + b.MinAvailable.String()
	case b.MaxUnavailable != nil:
		return "max unavailable " + b.MaxUnavailable.String()
	}
	return "none"
}

func atLeast(n int) budget { v := intstr.FromInt(n); return budget{MinAvailable: &v} }
func atMost(n int) budget  { v := intstr.FromInt(n); return budget{MaxUnavailable: &v} }

func (c cluster) String() string {
	out := fmt.Sprintf("%d nodes, %d naked, daemon %t", c.Nodes, c.Naked, c.Daemon)
	for _, a := range c.Apps {
		out += fmt.Sprintf("; %d of a %s with cpu %s, grace %ds, budget %s", a.Replicas, a.Kind, a.CPU, a.Grace, a.Budget)
	}
	return out
}

// build creates the cluster and returns the names of its nodes when everything runs.
func (c cluster) build(t *testing.T, name string) []string {
	t.Helper()
	ctx := t.Context()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	_, err := client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
	check(err)
	t.Cleanup(func() { tearDown(t, name) })
	check(until(ctx, "the default service account", func() bool {
		_, err := client.CoreV1().ServiceAccounts(name).Get(ctx, "default", metav1.GetOptions{})
		return err == nil
	}))
	nodes, err := plane.AddHollow(ctx, c.Nodes, map[string]string{"pool": name})
	check(err)
	check((&operator{}).open(ctx, nodes...))
	pods := c.Naked
	for i, a := range c.Apps {
		check(a.create(ctx, name, fmt.Sprintf("app-%d", i)))
		pods += int(a.Replicas)
	}
	for i := range c.Naked {
		p := template(name, "naked", app{Grace: 1})
		_, err := client.CoreV1().Pods(name).Create(ctx, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("naked-%d", i), Labels: p.Labels}, Spec: p.Spec}, metav1.CreateOptions{})
		check(err)
	}
	if c.Daemon {
		pods += c.Nodes
		p := template(name, "daemon", app{Grace: 1})
		_, err := client.AppsV1().DaemonSets(name).Create(ctx, &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: "daemon"},
			Spec: appsv1.DaemonSetSpec{Selector: &metav1.LabelSelector{MatchLabels: p.Labels}, Template: p}}, metav1.CreateOptions{})
		check(err)
	}
	check(until(ctx, "all pods to run", func() bool {
		list, err := client.CoreV1().Pods(name).List(ctx, metav1.ListOptions{})
		well := 0
		for i := range list.Items {
			if ready(&list.Items[i]) {
				well++
			}
		}
		return err == nil && well == pods
	}))
	check(until(ctx, "the budgets to know their pods", func() bool {
		list, err := client.PolicyV1().PodDisruptionBudgets(name).List(ctx, metav1.ListOptions{})
		for _, b := range list.Items {
			if b.Status.ObservedGeneration != b.Generation || b.Status.CurrentHealthy < b.Status.ExpectedPods || b.Status.ExpectedPods == 0 {
				return false
			}
		}
		return err == nil
	}))
	return nodes
}

// template returns a template for pods that run only on the nodes of the pool.
func template(pool, name string, a app) corev1.PodTemplateSpec {
	spec := corev1.PodSpec{TerminationGracePeriodSeconds: &a.Grace, NodeSelector: map[string]string{"pool": pool}, Containers: []corev1.Container{{Name: "main", Image: "app"}}}
	if a.CPU != "" {
		spec.Containers[0].Resources.Requests = corev1.ResourceList{"cpu": resource.MustParse(a.CPU)}
	}
	return corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": name}}, Spec: spec}
}

func (a app) create(ctx context.Context, namespace, name string) error {
	t := template(namespace, name, a)
	meta, selector := metav1.ObjectMeta{Name: name}, &metav1.LabelSelector{MatchLabels: t.Labels}
	var err error
	if a.Kind == "StatefulSet" {
		_, err = client.AppsV1().StatefulSets(namespace).Create(ctx, &appsv1.StatefulSet{ObjectMeta: meta,
			Spec: appsv1.StatefulSetSpec{Replicas: &a.Replicas, Selector: selector, Template: t, PodManagementPolicy: appsv1.ParallelPodManagement}}, metav1.CreateOptions{})
	} else {
		_, err = client.AppsV1().Deployments(namespace).Create(ctx, &appsv1.Deployment{ObjectMeta: meta,
			Spec: appsv1.DeploymentSpec{Replicas: &a.Replicas, Selector: selector, Template: t}}, metav1.CreateOptions{})
	}
	if err != nil || a.Budget == (budget{}) {
		return err
	}
	_, err = client.PolicyV1().PodDisruptionBudgets(namespace).Create(ctx, &policyv1.PodDisruptionBudget{ObjectMeta: meta,
		Spec: policyv1.PodDisruptionBudgetSpec{Selector: selector, MinAvailable: a.Budget.MinAvailable, MaxUnavailable: a.Budget.MaxUnavailable}}, metav1.CreateOptions{})
	return err
}

// tearDown deletes everything of a cluster.
func tearDown(t *testing.T, name string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := client.CoreV1().Namespaces().Delete(ctx, name, metav1.DeleteOptions{}); err != nil {
		t.Error(err)
	}
	err := until(ctx, "the end of "+name, func() bool {
		// Pods of deleted nodes end only after a minute.
		_ = client.CoreV1().Pods(name).DeleteCollection(ctx, metav1.DeleteOptions{GracePeriodSeconds: new(int64)}, metav1.ListOptions{})
		_, err := client.CoreV1().Namespaces().Get(ctx, name, metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	})
	if err != nil {
		t.Error(err)
	}
	nodes, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{LabelSelector: "pool=" + name})
	if err != nil {
		t.Error(err)
	}
	for _, n := range nodes.Items {
		plane.Hollow(n.Name).Silence()
		if err := client.CoreV1().Nodes().Delete(ctx, n.Name, metav1.DeleteOptions{}); err != nil {
			t.Error(err)
		}
	}
}

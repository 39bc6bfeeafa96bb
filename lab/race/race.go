//go:build unix

// Package race lets two programs drain equal pools of nodes, one after the other, and watches the PodDisruptionBudgets
// of both from outside.
package race

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes"

	"github.com/nodetriage/nodetriage/lab/guard"
	"github.com/nodetriage/nodetriage/lab/play"
)

// Size is the size of a pool: the number of nodes to drain, and of empty nodes for the replacements.
type Size struct{ Nodes, Apps, Replicas int }

// Pods is the number of pods to evict.
func (s Size) Pods() int { return s.Apps * s.Replicas }

// Pool is one of the equal clusters.
type Pool struct {
	Name   string
	Nodes  []string // to drain
	size   Size
	client kubernetes.Interface
}

// Result is the result of one drain.
type Result struct {
	Took  time.Duration
	Guard guard.Report
}

// Build creates a pool with applications, each with a PodDisruptionBudget of a tenth, and waits until all of them are
// ready on its nodes.
func Build(ctx context.Context, client kubernetes.Interface, kubelets *play.Kubelets, name string, size Size) (*Pool, error) {
	p := &Pool{Name: name, size: size, client: client}
	var spare []string
	for i := range size.Nodes {
		p.Nodes = append(p.Nodes, fmt.Sprintf("%s-%d", name, i))
		spare = append(spare, fmt.Sprintf("%s-spare-%d", name, i))
	}
	if err := kubelets.Add(ctx, map[string]string{"pool": name}, append(spare, p.Nodes...)...); err != nil {
		return nil, err
	}
	if err := p.cordon(ctx, true, spare...); err != nil {
		return nil, err
	}
	for i := range size.Apps {
		if err := p.application(ctx, fmt.Sprintf("%s-app-%d", name, i)); err != nil {
			return nil, err
		}
	}
	if err := p.wait(ctx, func(pods []corev1.Pod) bool {
		n := 0
		for _, pod := range pods {
			if serves(&pod) {
				n++
			}
		}
		return n == size.Pods()
	}); err != nil {
		return nil, fmt.Errorf("wait for the pods of %s: %w", name, err)
	}
	if err := p.counted(ctx); err != nil {
		return nil, err
	}
	return p, p.cordon(ctx, false, spare...)
}

func (p *Pool) cordon(ctx context.Context, closed bool, nodes ...string) error {
	for _, n := range nodes {
		patch := fmt.Sprintf(`{"spec":{"unschedulable":%v}}`, closed)
		if _, err := p.client.CoreV1().Nodes().Patch(ctx, n, "application/merge-patch+json", []byte(patch), metav1.PatchOptions{}); err != nil {
			return err
		}
	}
	return nil
}

// application creates an application in a separate namespace.
func (p *Pool) application(ctx context.Context, name string) error {
	if _, err := p.client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{}); err != nil {
		return err
	}
	labels := map[string]string{"app": name, "pool": p.Name}
	meta := metav1.ObjectMeta{Name: name, Labels: labels}
	replicas, grace := int32(p.size.Replicas), int64(1)
	spec := corev1.PodSpec{
		NodeSelector: map[string]string{"pool": p.Name}, TerminationGracePeriodSeconds: &grace,
		Containers: []corev1.Container{{Name: "main", Image: "app", Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": resource.MustParse("10m")}}}},
	}
	d := &appsv1.Deployment{ObjectMeta: meta, Spec: appsv1.DeploymentSpec{Replicas: &replicas, Selector: &metav1.LabelSelector{MatchLabels: labels},
		Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: spec}}}
	if _, err := p.client.AppsV1().Deployments(name).Create(ctx, d, metav1.CreateOptions{}); err != nil {
		return err
	}
	tenth := intstr.FromString("10%")
	b := &policyv1.PodDisruptionBudget{ObjectMeta: meta, Spec: policyv1.PodDisruptionBudgetSpec{MaxUnavailable: &tenth, Selector: d.Spec.Selector}}
	_, err := p.client.PolicyV1().PodDisruptionBudgets(name).Create(ctx, b, metav1.CreateOptions{})
	return err
}

// counted waits until the PodDisruptionBudgets allow the expected disruptions.
func (p *Pool) counted(ctx context.Context) error {
	for ctx.Err() == nil {
		list, err := p.client.PolicyV1().PodDisruptionBudgets("").List(ctx, metav1.ListOptions{LabelSelector: "pool=" + p.Name})
		if err != nil {
			return err
		}
		n := 0
		for _, b := range list.Items {
			if int(b.Status.CurrentHealthy) == p.size.Replicas && b.Status.DisruptionsAllowed > 0 {
				n++
			}
		}
		if n == p.size.Apps {
			return nil
		}
		time.Sleep(200 * time.Millisecond)
	}
	return ctx.Err()
}

func (p *Pool) wait(ctx context.Context, done func([]corev1.Pod) bool) error {
	for ctx.Err() == nil {
		list, err := p.client.CoreV1().Pods("").List(ctx, metav1.ListOptions{ResourceVersion: "0", LabelSelector: "pool=" + p.Name})
		if err != nil {
			return err
		}
		if done(list.Items) {
			return nil
		}
		time.Sleep(500 * time.Millisecond)
	}
	return ctx.Err()
}

// Run lets a program drain the pool, and checks the result.
func (p *Pool) Run(ctx context.Context, command ...string) (Result, error) {
	g, err := guard.Watch(ctx, p.client, "")
	if err != nil {
		return Result{}, err
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	begin := time.Now()
	err = cmd.Run()
	r := Result{Took: time.Since(begin), Guard: g.Stop()}
	if err != nil {
		text := out.Bytes()
		return r, fmt.Errorf("%s: %w\n%s", command[0], err, text[max(0, len(text)-2000):])
	}
	list, err := p.client.CoreV1().Pods("").List(ctx, metav1.ListOptions{LabelSelector: "pool=" + p.Name})
	if err != nil {
		return r, err
	}
	drained := map[string]bool{}
	for _, n := range p.Nodes {
		drained[n] = true
	}
	for _, pod := range list.Items {
		if drained[pod.Spec.NodeName] {
			return r, fmt.Errorf("%s left pod %s on node %s", command[0], pod.Name, pod.Spec.NodeName)
		}
	}
	return r, nil
}

func serves(p *corev1.Pod) bool {
	for _, c := range p.Status.Conditions {
		if c.Type == corev1.PodReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}

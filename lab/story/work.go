//go:build linux

package story

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/nodetriage/nodetriage/lab"
)

// work is the workload of one node: a Deployment and a StatefulSet whose pods are replaced all the time.
type work struct {
	client kubernetes.Interface
	node   string
	rolled int
	paused atomic.Bool
}

const (
	workspace  = "shop"
	rollEvery  = 10 * time.Second
	statefully = 4 // one of so many rolls is that of the StatefulSet
)

func newWork(ctx context.Context, client kubernetes.Interface, node string) (*work, error) {
	w := &work{client: client, node: node}
	meta := func(name string) metav1.ObjectMeta { return metav1.ObjectMeta{Name: name + "-" + node} }
	template := func(name string) (*metav1.LabelSelector, corev1.PodTemplateSpec) {
		grace, labels := int64(2), map[string]string{"app": name + "-" + node}
		return &metav1.LabelSelector{MatchLabels: labels}, corev1.PodTemplateSpec{
			ObjectMeta: metav1.ObjectMeta{Labels: labels},
			Spec: corev1.PodSpec{
				NodeSelector: map[string]string{corev1.LabelHostname: node}, TerminationGracePeriodSeconds: &grace,
				Containers: []corev1.Container{{Name: "app", Image: lab.Image}},
			},
		}
	}
	two, history := int32(2), int32(1)
	selector, pods := template("web")
	if _, err := client.AppsV1().Deployments(workspace).Create(ctx, &appsv1.Deployment{
		ObjectMeta: meta("web"), Spec: appsv1.DeploymentSpec{Replicas: &two, Selector: selector, Template: pods, RevisionHistoryLimit: &history},
	}, metav1.CreateOptions{}); err != nil {
		return nil, err
	}
	selector, pods = template("db")
	_, err := client.AppsV1().StatefulSets(workspace).Create(ctx, &appsv1.StatefulSet{
		ObjectMeta: meta("db"), Spec: appsv1.StatefulSetSpec{Replicas: &two, Selector: selector, Template: pods, RevisionHistoryLimit: &history},
	}, metav1.CreateOptions{})
	return w, err
}

// started waits until all pods run.
func (w *work) started(ctx context.Context) error {
	for range 90 {
		d, err := w.client.AppsV1().Deployments(workspace).Get(ctx, "web-"+w.node, metav1.GetOptions{})
		if err != nil {
			return err
		}
		s, err := w.client.AppsV1().StatefulSets(workspace).Get(ctx, "db-"+w.node, metav1.GetOptions{})
		if err != nil {
			return err
		}
		if d.Status.ReadyReplicas == 2 && s.Status.ReadyReplicas == 2 {
			return nil
		}
		if !lab.Pause(ctx, time.Second) {
			return ctx.Err()
		}
	}
	return fmt.Errorf("the work on node %s does not start", w.node)
}

// roll replaces the pods repeatedly until ctx ends.
func (w *work) roll(ctx context.Context) {
	for lab.Pause(ctx, rollEvery) {
		for w.paused.Load() && lab.Pause(ctx, 100*time.Millisecond) {
		}
		w.rolled++
		patch := fmt.Appendf(nil, `{"spec":{"template":{"metadata":{"annotations":{"lab.example.com/roll":"%d"}}}}}`, w.rolled)
		// The API server may reject requests; the next turn retries.
		if w.rolled%statefully == 0 {
			_, _ = w.client.AppsV1().StatefulSets(workspace).Patch(ctx, "db-"+w.node, types.MergePatchType, patch, metav1.PatchOptions{})
		} else {
			_, _ = w.client.AppsV1().Deployments(workspace).Patch(ctx, "web-"+w.node, types.MergePatchType, patch, metav1.PatchOptions{})
		}
	}
}

// evict evicts all pods of the workload with the Eviction API, and returns their number.
func (w *work) evict(ctx context.Context) (int, error) {
	pods, err := w.client.CoreV1().Pods(workspace).List(ctx, metav1.ListOptions{FieldSelector: "spec.nodeName=" + w.node})
	if err != nil {
		return 0, err
	}
	n := 0
	for i := range pods.Items {
		err := w.client.PolicyV1().Evictions(workspace).Evict(ctx, &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: pods.Items[i].Name, Namespace: workspace}})
		switch {
		case err == nil:
			n++
		case !apierrors.IsNotFound(err): // a pod that was being replaced has been deleted meanwhile
			return n, fmt.Errorf("evict pod %s: %w", pods.Items[i].Name, err)
		}
	}
	return n, nil
}

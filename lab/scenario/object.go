//go:build linux

package scenario

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/nodetriage/nodetriage/lab"
)

const (
	namespace = "default"
	podName   = "victim"
)

// objects are scenarios in which nothing is wrong with the machine.
var objects = []Scenario{
	{
		Name: "finalizer-hangs", After: 20 * time.Second,
		Truth: Truth{Class: "drain-blocked-finalizer", Secondary: []string{"pod-stuck-terminating"}, Truth: "The pod was deleted; a finalizer that nobody removes keeps it."},
		Break: func(ctx context.Context, w *World) error {
			if err := w.pod(ctx, "lab.example.com/never"); err != nil {
				return err
			}
			return w.Client.CoreV1().Pods(namespace).Delete(ctx, podName, metav1.DeleteOptions{})
		},
		Heal: func(ctx context.Context, w *World) error { return w.noPod(ctx) },
	},
	{
		Name: "budget-blocks-drain", After: 20 * time.Second,
		Truth: Truth{Class: "drain-blocked-pdb", Secondary: []string{"cordon-left-behind"}, Truth: "The node is cordoned; the budget of the only replica forbids its eviction."},
		Break: func(ctx context.Context, w *World) error {
			if err := w.pod(ctx); err != nil {
				return err
			}
			one := intstr.FromInt32(1)
			_, err := w.Client.PolicyV1().PodDisruptionBudgets(namespace).Create(ctx, &policyv1.PodDisruptionBudget{
				ObjectMeta: metav1.ObjectMeta{Name: podName},
				Spec:       policyv1.PodDisruptionBudgetSpec{MinAvailable: &one, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": podName}}},
			}, metav1.CreateOptions{})
			if err != nil {
				return err
			}
			return w.cordon(ctx, true)
		},
		Heal: func(ctx context.Context, w *World) error {
			if err := w.Client.PolicyV1().PodDisruptionBudgets(namespace).Delete(ctx, podName, metav1.DeleteOptions{}); err != nil {
				return err
			}
			if err := w.noPod(ctx); err != nil {
				return err
			}
			return w.cordon(ctx, false)
		},
	},
}

// pod binds a pod to the node.
func (w *World) pod(ctx context.Context, finalizers ...string) error {
	grace := int64(2)
	_, err := w.Client.CoreV1().Pods(namespace).Create(ctx, &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: podName, Labels: map[string]string{"app": podName}, Finalizers: finalizers},
		Spec: corev1.PodSpec{NodeName: w.Node, TerminationGracePeriodSeconds: &grace,
			Containers: []corev1.Container{{Name: "app", Image: lab.Image}}},
	}, metav1.CreateOptions{})
	return err
}

func (w *World) noPod(ctx context.Context) error {
	pods := w.Client.CoreV1().Pods(namespace)
	if _, err := pods.Patch(ctx, podName, types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{}); err != nil && !apierrors.IsNotFound(err) {
		return err
	}
	if err := pods.Delete(ctx, podName, *metav1.NewDeleteOptions(0)); err != nil && !apierrors.IsNotFound(err) {
		return err
	}
	return nil
}

func (w *World) cordon(ctx context.Context, yes bool) error {
	patch := map[bool]string{true: `{"spec":{"unschedulable":true}}`, false: `{"spec":{"unschedulable":null}}`}[yes]
	_, err := w.Client.CoreV1().Nodes().Patch(ctx, w.Node, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
	return err
}

// zone silences or wakes all hollow nodes of the node's zone.
func (w *World) zone(ctx context.Context, silent bool) error {
	node, err := w.Client.CoreV1().Nodes().Get(ctx, w.Node, metav1.GetOptions{})
	if err != nil {
		return err
	}
	list, err := w.Client.CoreV1().Nodes().List(ctx, metav1.ListOptions{LabelSelector: corev1.LabelTopologyZone + "=" + node.Labels[corev1.LabelTopologyZone]})
	if err != nil {
		return err
	}
	for _, n := range list.Items {
		if h := w.Plane.Hollow(n.Name); h == nil {
			continue
		} else if silent {
			h.Silence()
		} else {
			h.Wake()
		}
	}
	return nil
}

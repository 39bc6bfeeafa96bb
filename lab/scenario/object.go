//go:build linux

package scenario

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/util/retry"

	"github.com/nodetriage/nodetriage/lab"
)

const (
	namespace = "default"
	podName   = "victim"
)

// objects are scenarios without a fault on the machine.
var objects = []Scenario{
	{
		Name: "finalizer-hangs", After: 20 * time.Second, Ordinary: 12 * time.Second, // grace period and controllers take their time
		Occupies: []Part{Pods}, Sign: `^pod overdue$`,
		Truth: Truth{Class: "drain-blocked-finalizer", Wider: []string{"pod-stuck-terminating"}, Truth: "The pod was deleted; a finalizer that is not removed keeps it."},
		Break: func(ctx context.Context, w *World) error {
			if err := w.pod(ctx, func(p *corev1.Pod) { p.Finalizers = []string{"lab.example.com/never"} }); err != nil {
				return err
			}
			return w.Client.CoreV1().Pods(namespace).Delete(ctx, w.Pod, metav1.DeleteOptions{})
		},
		Heal: func(ctx context.Context, w *World) error { return w.noPod(ctx) },
	},
	{
		Name: "budget-blocks-drain", After: 20 * time.Second,
		Occupies: []Part{Pods, Schedule}, Sign: atOnce,
		Truth:   Truth{Class: "drain-blocked-pdb", Wider: []string{"drain-blocked-unmanaged-pod"}, Truth: "The node is cordoned; the budget of the only replica, which has no controller, forbids its eviction."},
		Prepare: func(ctx context.Context, w *World) error { return w.runningPod(ctx) }, // a pod that is not running yet may be evicted
		Break: func(ctx context.Context, w *World) error {
			one := intstr.FromInt32(1)
			_, err := w.Client.PolicyV1().PodDisruptionBudgets(namespace).Create(ctx, &policyv1.PodDisruptionBudget{
				ObjectMeta: metav1.ObjectMeta{Name: w.Pod},
				Spec:       policyv1.PodDisruptionBudgetSpec{MinAvailable: &one, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": w.Pod}}},
			}, metav1.CreateOptions{})
			if err != nil {
				return err
			}
			return w.cordon(ctx, true)
		},
		Heal: func(ctx context.Context, w *World) error {
			if err := w.Client.PolicyV1().PodDisruptionBudgets(namespace).Delete(ctx, w.Pod, metav1.DeleteOptions{}); err != nil {
				return err
			}
			if err := w.noPod(ctx); err != nil {
				return err
			}
			return w.cordon(ctx, false)
		},
	},
	{
		Name: "hook-hangs", Real: true, After: 25 * time.Second,
		Occupies: []Part{Pods, Schedule}, Sign: atOnce,
		Beyond: []string{Saved}, // the kubelet log shows that the pod is to be deleted, but not what it waits for
		Truth:  Truth{Class: "drain-blocked-hook", Wider: []string{"pod-stuck-terminating"}, Truth: "A drain evicted the pod; its preStop hook never ends, and its grace period is an hour."},
		Prepare: func(ctx context.Context, w *World) error {
			return w.runningPod(ctx, func(p *corev1.Pod) {
				hour := int64(3600)
				p.Spec.TerminationGracePeriodSeconds = &hour
				p.Spec.Containers[0].Lifecycle = &corev1.Lifecycle{PreStop: &corev1.LifecycleHandler{Exec: &corev1.ExecAction{Command: []string{"/pause"}}}}
			})
		},
		Break: func(ctx context.Context, w *World) error {
			if err := w.cordon(ctx, true); err != nil {
				return err
			}
			return w.Client.CoreV1().Pods(namespace).EvictV1(ctx, &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: w.Pod, Namespace: namespace}})
		},
		Heal: func(ctx context.Context, w *World) error { return errors.Join(w.noPod(ctx), w.cordon(ctx, false)) },
	},
	{
		Name: "cordon-left", After: 15 * time.Second,
		Occupies: []Part{Schedule}, Sign: atOnce,
		Truth: Truth{Class: "cordon-left-behind", Truth: "The node was cordoned with kubectl, and no maintenance runs; the entries of when were dated back by three hours."},
		Break: func(ctx context.Context, w *World) error { return w.oldCordon(ctx) },
		Heal:  func(ctx context.Context, w *World) error { return w.cordon(ctx, false) },
	},
	{
		Name: "node-deleted", Real: true, After: 45 * time.Second, Needs: outside(onTheNode),
		Occupies: everything, Sign: atOnce, Restarts: newKubelet,
		Truth: Truth{Class: "node-object-deleted", Truth: "The node object was deleted while its kubelet lives; it registers again only when it is started again."},
		Break: func(ctx context.Context, w *World) error {
			return w.Client.CoreV1().Nodes().Delete(ctx, w.Node, metav1.DeleteOptions{})
		},
		Heal: func(_ context.Context, w *World) error { return w.Machine.Unit(lab.Kubelet).Restart() },
	},
	{
		Name: "out-of-service-left", After: 15 * time.Second,
		Occupies: everything, Sign: `^condition Ready=True`, Lone: true,
		Truth: Truth{Class: "cordon-left-behind", Truth: "The node fell silent and was declared out of service; it came back, and the taint was not removed."},
		Prepare: func(ctx context.Context, w *World) error {
			w.Plane.Hollow(w.Node).Silence()
			for w.ready(ctx) {
				if !lab.Pause(ctx, time.Second) {
					return ctx.Err()
				}
			}
			return w.patchNode(ctx, `{"spec":{"taints":[{"key":"`+corev1.TaintNodeOutOfService+`","value":"nodeshutdown","effect":"NoExecute"}]}}`)
		},
		Break: func(_ context.Context, w *World) error { w.Plane.Hollow(w.Node).Wake(); return nil },
		Heal:  func(ctx context.Context, w *World) error { return w.patchNode(ctx, `{"spec":{"taints":null}}`) },
	},
	{
		Name: "webhook-blocks-nodes", Real: true, After: 60 * time.Second,
		Occupies: everything, Sign: atOnce, Lone: true,
		Truth: Truth{Class: "admission-webhook-blocks-node", Truth: "A webhook that fails closed guards nodes and their leases, and the service behind it does not exist."},
		Break: func(ctx context.Context, w *World) error { return w.webhook(ctx) },
		Heal: func(ctx context.Context, w *World) error {
			return w.Client.AdmissionregistrationV1().ValidatingWebhookConfigurations().Delete(ctx, webhookName, metav1.DeleteOptions{})
		},
	},
}

// pod creates a pod on the node.
func (w *World) pod(ctx context.Context, changes ...func(*corev1.Pod)) error {
	return w.create(ctx, w.Pod, changes...)
}

func (w *World) create(ctx context.Context, name string, changes ...func(*corev1.Pod)) error {
	grace := int64(2)
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"app": w.Pod}},
		Spec: corev1.PodSpec{NodeName: w.Node, TerminationGracePeriodSeconds: &grace,
			Containers: []corev1.Container{{Name: "app", Image: lab.Image}}},
	}
	for _, change := range changes {
		change(pod)
	}
	_, err := w.Client.CoreV1().Pods(namespace).Create(ctx, pod, metav1.CreateOptions{})
	return err
}

// runningPod returns a pod that has started.
func (w *World) runningPod(ctx context.Context, changes ...func(*corev1.Pod)) error {
	if err := w.pod(ctx, changes...); err != nil {
		return err
	}
	return w.wait(ctx, namespace, w.Pod)
}

// wait waits until a pod runs.
func (w *World) wait(ctx context.Context, namespace, name string) error {
	return eventually(ctx, "pod "+name+" runs", func() bool {
		pod, err := w.Client.CoreV1().Pods(namespace).Get(ctx, name, metav1.GetOptions{})
		return err == nil && pod.Status.Phase == corev1.PodRunning
	})
}

// pods creates several pods on the node.
func (w *World) pods(ctx context.Context, n int) error {
	for i := range n {
		if err := w.create(ctx, fmt.Sprintf("%s-%d", w.Pod, i)); err != nil {
			return err
		}
	}
	return nil
}

func (w *World) noPods(ctx context.Context) error {
	return w.Client.CoreV1().Pods(namespace).DeleteCollection(ctx, *metav1.NewDeleteOptions(0), metav1.ListOptions{LabelSelector: "app=" + w.Pod})
}

func (w *World) noPod(ctx context.Context) error {
	pods := w.Client.CoreV1().Pods(namespace)
	if _, err := pods.Patch(ctx, w.Pod, types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{}); err != nil && !apierrors.IsNotFound(err) {
		return err
	}
	if err := pods.Delete(ctx, w.Pod, *metav1.NewDeleteOptions(0)); err != nil && !apierrors.IsNotFound(err) {
		return err
	}
	return nil
}

func (w *World) cordon(ctx context.Context, yes bool) error {
	return w.patchNode(ctx, map[bool]string{true: `{"spec":{"unschedulable":true}}`, false: `{"spec":{"unschedulable":null}}`}[yes])
}

func (w *World) patchNode(ctx context.Context, patch string) error {
	_, err := w.Client.CoreV1().Nodes().Patch(ctx, w.Node, types.MergePatchType, []byte(patch), metav1.PatchOptions{FieldManager: "kubectl-cordon"})
	return err
}

// oldCordon cordons the node, and backdates the managed fields entry. The API server accepts the times of an update if
// something else changes too.
func (w *World) oldCordon(ctx context.Context) error {
	if err := w.cordon(ctx, true); err != nil {
		return err
	}
	if err := w.untilTainted(ctx, corev1.TaintNodeUnschedulable); err != nil {
		return err
	}
	ago := metav1.NewTime(time.Now().Add(-3 * time.Hour))
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		node, err := w.Client.CoreV1().Nodes().Get(ctx, w.Node, metav1.GetOptions{})
		if err != nil {
			return err
		}
		for i, f := range node.ManagedFields {
			if f.Manager == "kubectl-cordon" {
				node.ManagedFields[i].Time = &ago
			}
		}
		for i := range node.Spec.Taints {
			node.Spec.Taints[i].TimeAdded = &ago
		}
		metav1.SetMetaDataAnnotation(&node.ObjectMeta, "lab.example.com/dated", "back")
		_, err = w.Client.CoreV1().Nodes().Update(ctx, node, metav1.UpdateOptions{FieldManager: "lab"})
		return err
	})
}

// untilTainted waits until the controllers have added a taint.
func (w *World) untilTainted(ctx context.Context, key string) error {
	for {
		node, err := w.Client.CoreV1().Nodes().Get(ctx, w.Node, metav1.GetOptions{})
		if err != nil {
			return err
		}
		if slices.ContainsFunc(node.Spec.Taints, func(t corev1.Taint) bool { return t.Key == key }) {
			return nil
		}
		if !lab.Pause(ctx, 200*time.Millisecond) {
			return ctx.Err()
		}
	}
}

const webhookName = "guard.lab.example.com"

// webhook matches nodes and their leases, but not the leases of controllers, which would stop too.
func (w *World) webhook(ctx context.Context) error {
	fail, none, path, seconds := admissionv1.Fail, admissionv1.SideEffectClassNone, "/guard", int32(2)
	rule := func(group, version string, resources ...string) admissionv1.RuleWithOperations {
		return admissionv1.RuleWithOperations{
			Operations: []admissionv1.OperationType{admissionv1.Create, admissionv1.Update},
			Rule:       admissionv1.Rule{APIGroups: []string{group}, APIVersions: []string{version}, Resources: resources},
		}
	}
	_, err := w.Client.AdmissionregistrationV1().ValidatingWebhookConfigurations().Create(ctx, &admissionv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: webhookName},
		Webhooks: []admissionv1.ValidatingWebhook{{
			Name: webhookName, FailurePolicy: &fail, SideEffects: &none, TimeoutSeconds: &seconds, AdmissionReviewVersions: []string{"v1"},
			ClientConfig:      admissionv1.WebhookClientConfig{Service: &admissionv1.ServiceReference{Namespace: namespace, Name: "guard", Path: &path}},
			NamespaceSelector: &metav1.LabelSelector{MatchLabels: map[string]string{corev1.LabelMetadataName: corev1.NamespaceNodeLease}},
			Rules:             []admissionv1.RuleWithOperations{rule("", "v1", "nodes", "nodes/status"), rule("coordination.k8s.io", "v1", "leases")},
		}},
	}, metav1.CreateOptions{})
	return err
}

// zone silences or wakes all hollow nodes in the zone of the node.
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

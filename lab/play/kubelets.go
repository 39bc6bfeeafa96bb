// Package play simulates kubelets for nodes that are only objects. It keeps the nodes ready, makes bound pods ready,
// and ends deleted pods after their grace period.
package play

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

// EndsAfter is an annotation of pods whose containers end before their grace period: the time that they take.
const EndsAfter = "lab.nodetriage.dev/ends-after"

// Kubelets simulates the kubelets of all nodes of a cluster.
type Kubelets struct {
	client kubernetes.Interface
	start  time.Duration // from binding to ready

	mu    sync.Mutex
	nodes []string
	ends  map[types.UID]bool
	begun map[types.UID]bool
}

// Start creates nodes and simulates their kubelets until ctx ends. Pods become ready after that time since binding.
func Start(ctx context.Context, client kubernetes.Interface, start time.Duration, nodes ...string) (*Kubelets, error) {
	k := &Kubelets{client: client, start: start, ends: map[types.UID]bool{}, begun: map[types.UID]bool{}}
	if err := k.Add(ctx, nil, nodes...); err != nil {
		return nil, err
	}
	go k.beat(ctx)
	go k.follow(ctx)
	return k, nil
}

// Add creates more nodes, with these additional labels.
func (k *Kubelets) Add(ctx context.Context, labels map[string]string, nodes ...string) error {
	for _, name := range nodes {
		if err := k.register(ctx, name, labels); err != nil {
			return err
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.nodes = append(k.nodes, nodes...)
	return nil
}

func (k *Kubelets) register(ctx context.Context, name string, labels map[string]string) error {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelHostname: name}}}
	maps.Copy(n.Labels, labels)
	if _, err := k.client.CoreV1().Nodes().Create(ctx, n, metav1.CreateOptions{}); err != nil {
		return fmt.Errorf("make node %s: %w", name, err)
	}
	return k.status(ctx, name)
}

// status returns the status that a kubelet posts.
func (k *Kubelets) status(ctx context.Context, name string) error {
	room := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("8"), corev1.ResourceMemory: resource.MustParse("16Gi"), corev1.ResourcePods: resource.MustParse("110"),
	}
	now := metav1.Now()
	patch, err := json.Marshal(map[string]any{"status": corev1.NodeStatus{Capacity: room, Allocatable: room, Conditions: []corev1.NodeCondition{
		{Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "KubeletReady", LastHeartbeatTime: now, LastTransitionTime: now},
	}}})
	if err != nil {
		return err
	}
	_, err = k.client.CoreV1().Nodes().Patch(ctx, name, types.StrategicMergePatchType, patch, metav1.PatchOptions{}, "status")
	return err
}

// beat posts the status of the nodes often enough for the control plane.
func (k *Kubelets) beat(ctx context.Context) {
	for {
		select {
		case <-time.After(10 * time.Second):
		case <-ctx.Done():
			return
		}
		k.mu.Lock()
		nodes := slices.Clone(k.nodes)
		k.mu.Unlock()
		for _, n := range nodes {
			_ = k.status(ctx, n) // the next beat retries
		}
	}
}

// follow watches all pods.
func (k *Kubelets) follow(ctx context.Context) {
	pods := cache.NewListWatchFromClient(k.client.CoreV1().RESTClient(), "pods", metav1.NamespaceAll, fields.Everything())
	cache.NewReflector(pods, &corev1.Pod{}, store{ctx, k}, 0).RunWithContext(ctx)
}

func (k *Kubelets) play(ctx context.Context, p *corev1.Pod) {
	if p.Spec.NodeName == "" {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case p.DeletionTimestamp != nil && !k.ends[p.UID]:
		k.ends[p.UID] = true
		go k.end(ctx, p)
	case p.DeletionTimestamp == nil && !k.begun[p.UID]:
		k.begun[p.UID] = true
		go k.begin(ctx, p)
	}
}

func (k *Kubelets) begin(ctx context.Context, p *corev1.Pod) {
	wait := k.start
	if p.Labels["start"] == "never" {
		return
	}
	k.post(ctx, p, corev1.ConditionFalse)
	select {
	case <-time.After(wait):
	case <-ctx.Done():
		return
	}
	insist(ctx, func() bool { return k.post(ctx, p, corev1.ConditionTrue) })
}

// gone removes a pod.
func (k *Kubelets) gone(p *corev1.Pod) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.begun, p.UID)
	delete(k.ends, p.UID)
}

// insist retries a request until the API server has answered.
func insist(ctx context.Context, say func() bool) {
	for !say() && ctx.Err() == nil {
		time.Sleep(100 * time.Millisecond)
	}
}

func (k *Kubelets) post(ctx context.Context, p *corev1.Pod, ready corev1.ConditionStatus) bool {
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"uid": p.UID}, "status": corev1.PodStatus{Phase: corev1.PodRunning, Conditions: []corev1.PodCondition{
		{Type: corev1.PodReady, Status: ready, LastTransitionTime: metav1.Now()},
	}}})
	if err != nil {
		return true
	}
	_, err = k.client.CoreV1().Pods(p.Namespace).Patch(ctx, p.Name, types.StrategicMergePatchType, patch, metav1.PatchOptions{}, "status")
	return heard(err)
}

// end waits for the grace period of the pod and deletes the object, like a kubelet whose containers use all of it.
func (k *Kubelets) end(ctx context.Context, p *corev1.Pod) {
	takes := time.Duration(*p.DeletionGracePeriodSeconds) * time.Second
	if own, err := time.ParseDuration(p.Annotations[EndsAfter]); err == nil {
		takes = min(takes, own)
	}
	select {
	case <-time.After(takes):
	case <-ctx.Done():
		return
	}
	now := int64(0)
	insist(ctx, func() bool {
		err := k.client.CoreV1().Pods(p.Namespace).Delete(ctx, p.Name, metav1.DeleteOptions{GracePeriodSeconds: &now, Preconditions: &metav1.Preconditions{UID: &p.UID}})
		return heard(err) && !apierrors.IsInvalid(err) // requests that admission denied are retried
	})
}

// heard reports whether the API server answered, with any result.
func heard(err error) bool {
	return err == nil || apierrors.ReasonForError(err) != metav1.StatusReasonUnknown
}

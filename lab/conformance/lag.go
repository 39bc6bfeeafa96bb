//go:build unix

package conformance

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// canary measures the lag of a control plane. It repeatedly deletes the only pod of a ReplicaSet and, if there is a
// node for it, cordons the node. It measures the time until the controllers have reacted and the watch has reported it.
// A forecast cannot know this lag, so observed times may be later by this lag, and no more.
type canary struct {
	mu      sync.Mutex
	samples []sample
}

type sample struct {
	from, to time.Time
	late     time.Duration
}

// usual is the time of an idle control plane.
const usual = 50 * time.Millisecond

func (c *canary) note(from time.Time) {
	now := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.samples = append(c.samples, sample{from, now, max(0, now.Sub(from)-usual)})
}

// between returns the maximum lag between two times: one delay delays everything after it.
func (c *canary) between(from, to time.Time) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	var late time.Duration
	for _, s := range c.samples {
		if s.from.Before(to.Add(time.Second)) && s.to.After(from) {
			late = max(late, s.late)
		}
	}
	return late
}

const canaryName = "canary"

func startCanary(ctx context.Context, p *plane) (*canary, error) {
	if err := namespace(ctx, p.client, canaryName); err != nil {
		return nil, err
	}
	labels, one := map[string]string{"app": canaryName}, int32(1)
	template := corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: corev1.PodSpec{
		Containers:      []corev1.Container{{Name: "app", Image: image}},
		SchedulingGates: []corev1.PodSchedulingGate{{Name: "lab.nodetriage.dev/never"}},
	}}
	_, err := p.client.AppsV1().ReplicaSets(canaryName).Create(ctx, &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{Name: canaryName},
		Spec:       appsv1.ReplicaSetSpec{Replicas: &one, Selector: &metav1.LabelSelector{MatchLabels: labels}, Template: template},
	}, metav1.CreateOptions{})
	if err != nil {
		return nil, err
	}
	c := &canary{}
	go c.replace(ctx, p)
	go c.passes(ctx, p)
	if p.guarded {
		names, err := p.AddHollow(ctx, 1, nil, canaryName)
		if err != nil {
			return nil, err
		}
		go c.cordon(ctx, p, names[0])
	}
	return c, nil
}

const canaryPeriod = time.Second

// replace measures the time from a deletion to the reaction of the ReplicaSet controller.
func (c *canary) replace(ctx context.Context, p *plane) {
	now := int64(0)
	for pause(ctx, canaryPeriod) == nil {
		pods := p.recorder.in(canaryName)
		i := slices.IndexFunc(pods, func(l podLog) bool { return l.gone == nil })
		if i < 0 {
			continue
		}
		begin := time.Now()
		if p.client.CoreV1().Pods(canaryName).Delete(ctx, pods[i].name, metav1.DeleteOptions{GracePeriodSeconds: &now}) != nil {
			continue
		}
		err := await(ctx, time.Minute, "the canary's next pod", func() bool {
			return slices.ContainsFunc(p.recorder.in(canaryName), func(l podLog) bool { return l.gone == nil && l.uid != pods[i].uid })
		})
		if err == nil {
			c.note(begin)
		}
	}
}

// cordon measures the time from a change of a node to the reaction of the node lifecycle controller.
func (c *canary) cordon(ctx context.Context, p *plane, node string) {
	for on := true; pause(ctx, canaryPeriod) == nil; on = !on {
		begin := time.Now()
		if cordon(ctx, p, node, on) != nil {
			continue
		}
		err := await(ctx, time.Minute, "the canary's taint", func() bool { return (p.recorder.of(node).taints > 0) == on })
		if err == nil {
			c.note(begin)
		}
	}
}

func cordon(ctx context.Context, p *plane, node string, on bool) error {
	patch := fmt.Appendf(nil, `{"spec":{"unschedulable":%t}}`, on)
	_, err := p.client.CoreV1().Nodes().Patch(ctx, node, types.MergePatchType, patch, metav1.PatchOptions{})
	return err
}

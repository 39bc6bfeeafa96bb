//go:build unix

package upgrade_test

import (
	"context"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
)

// observer watches the pods of one namespace.
type observer struct {
	mu      sync.Mutex
	pods    map[types.UID]*corev1.Pod
	changed time.Time // when the last of the moved pods was created, deleted, scheduled, or became ready
	peak    int       // the maximum number of pods without a node at one time
	says    string    // message of the scheduler for one of them
	lost    []string  // deleted pods without a controller
}

func observe(t *testing.T, namespace string) *observer {
	t.Helper()
	o := &observer{pods: map[types.UID]*corev1.Pod{}, changed: time.Now()}
	ctx, stop := context.WithCancel(t.Context())
	source := cache.NewListWatchFromClient(client.CoreV1().RESTClient(), "pods", namespace, fields.Everything())
	_, informer := cache.NewInformerWithOptions(cache.InformerOptions{ListerWatcher: source, ObjectType: &corev1.Pod{}, Handler: cache.ResourceEventHandlerFuncs{
		AddFunc:    func(x any) { o.see(x.(*corev1.Pod)) },
		UpdateFunc: func(_, x any) { o.see(x.(*corev1.Pod)) },
		DeleteFunc: func(x any) {
			if last, unseen := x.(cache.DeletedFinalStateUnknown); unseen {
				x = last.Obj
			}
			o.gone(x.(*corev1.Pod))
		},
	}})
	done := make(chan struct{})
	go func() { defer close(done); informer.RunWithContext(ctx) }()
	t.Cleanup(func() { stop(); <-done })
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		t.Fatal("the pods could not be watched")
	}
	return o
}

func (o *observer) see(p *corev1.Pod) {
	o.mu.Lock()
	defer o.mu.Unlock()
	was := o.pods[p.UID]
	if !daemon(p) && (was == nil || was.Spec.NodeName != p.Spec.NodeName || ready(was) != ready(p) || (was.DeletionTimestamp == nil) != (p.DeletionTimestamp == nil)) {
		o.changed = time.Now()
	}
	o.pods[p.UID] = p
	homeless := 0
	for _, q := range o.pods {
		if refusal(q) != "" {
			homeless++
		}
	}
	if homeless > o.peak {
		o.peak, o.says = homeless, refusal(p)
	}
}

func (o *observer) gone(p *corev1.Pod) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.pods, p.UID)
	if !daemon(p) {
		o.changed = time.Now()
	}
	if len(p.OwnerReferences) == 0 {
		o.lost = append(o.lost, p.Namespace+"/"+p.Name)
	}
}

// quiet returns the time without a change.
func (o *observer) quiet() time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	return time.Since(o.changed)
}

// on returns the pods of a node that a drain has to evict.
func (o *observer) on(node string) (out []*corev1.Pod) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, p := range o.pods {
		if p.Spec.NodeName == node && !daemon(p) {
			out = append(out, p)
		}
	}
	return out
}

// names returns the names of all pods.
func (o *observer) names() map[string]bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	out := map[string]bool{}
	for p := range maps.Values(o.pods) {
		out[p.Name] = true
	}
	return out
}

// homeless returns the pods without a node.
func (o *observer) homeless() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := 0
	for p := range maps.Values(o.pods) {
		if refusal(p) != "" {
			n++
		}
	}
	return n
}

// refusal returns the message of the scheduler for a pod that fits nowhere.
func refusal(p *corev1.Pod) string {
	for _, c := range p.Status.Conditions {
		if c.Type == corev1.PodScheduled && c.Status == corev1.ConditionFalse && c.Reason == corev1.PodReasonUnschedulable && p.Spec.NodeName == "" && p.DeletionTimestamp == nil {
			return c.Message
		}
	}
	return ""
}

func ready(p *corev1.Pod) bool {
	return slices.ContainsFunc(p.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	})
}

func daemon(p *corev1.Pod) bool {
	return len(p.OwnerReferences) > 0 && p.OwnerReferences[0].Kind == "DaemonSet"
}

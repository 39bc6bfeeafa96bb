// Package guard watches PodDisruptionBudgets from outside. It watches pods and PodDisruptionBudgets and counts at each
// event. It does not use the healthy and desired numbers of the disruption controller.
package guard

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// Guard watches the pods and PodDisruptionBudgets of one namespace.
type Guard struct {
	stop context.CancelFunc
	done sync.WaitGroup

	mu      sync.Mutex
	pods    map[types.UID]*corev1.Pod
	budgets map[string]budget
	deleted map[types.UID]time.Time
	report  Report
}

// Report is the observation.
type Report struct {
	Events     int
	Violations []string       // a pod was deleted although its PodDisruptionBudget had no disruption left
	Twice      []string       // pods that were deleted again, with another grace period
	Deleted    map[string]int // number of deleted pods, by node
	Lowest     map[string]int // the lowest number of healthy pods of each PodDisruptionBudget
}

// Watch starts with the existing objects; an empty namespace means all.
func Watch(ctx context.Context, client kubernetes.Interface, namespace string) (*Guard, error) {
	ctx, stop := context.WithCancel(ctx)
	g := &Guard{
		stop: stop, pods: map[types.UID]*corev1.Pod{}, budgets: map[string]budget{}, deleted: map[types.UID]time.Time{},
		report: Report{Deleted: map[string]int{}, Lowest: map[string]int{}},
	}
	listed := make(chan struct{}, 2)
	follow := func(from rest.Interface, resource string, of runtime.Object, into store) {
		into.listed = sync.OnceFunc(func() { listed <- struct{}{} })
		r := cache.NewReflector(cache.NewListWatchFromClient(from, resource, namespace, fields.Everything()), of, into, 0)
		g.done.Go(func() { r.RunWithContext(ctx) })
	}
	follow(client.PolicyV1().RESTClient(), "poddisruptionbudgets", &policyv1.PodDisruptionBudget{}, store{one: g.budget, all: g.allBudgets})
	follow(client.CoreV1().RESTClient(), "pods", &corev1.Pod{}, store{one: g.pod, all: g.allPods})
	for range 2 {
		select {
		case <-listed:
		case <-ctx.Done():
			stop()
			return nil, fmt.Errorf("watch pods and budgets: %w", ctx.Err())
		}
	}
	return g, nil
}

// Stop ends the watch and returns the report.
func (g *Guard) Stop() Report {
	g.stop()
	g.done.Wait()
	return g.report
}

func (g *Guard) budget(o any, gone bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if b, ok := o.(*policyv1.PodDisruptionBudget); ok && gone {
		delete(g.budgets, b.Namespace+"/"+b.Name)
	} else if ok {
		g.budgets[b.Namespace+"/"+b.Name] = newBudget(b)
	}
}

func (g *Guard) allBudgets(list []any) {
	g.mu.Lock()
	clear(g.budgets)
	g.mu.Unlock()
	for _, o := range list {
		g.budget(o, false)
	}
}

func (g *Guard) pod(o any, gone bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if p, ok := o.(*corev1.Pod); ok && gone {
		g.change(nil, []*corev1.Pod{p})
	} else if ok {
		g.change([]*corev1.Pod{p}, nil)
	}
}

// allPods treats a new list after a lost watch as one change: the events between are unknown, and the order of a list
// does not show what came first.
func (g *Guard) allPods(list []any) {
	g.mu.Lock()
	defer g.mu.Unlock()
	var now, gone []*corev1.Pod
	there := map[types.UID]bool{}
	for _, o := range list {
		if p, ok := o.(*corev1.Pod); ok {
			now, there[p.UID] = append(now, p), true
		}
	}
	for id, p := range g.pods {
		if !there[id] {
			gone = append(gone, p)
		}
	}
	g.change(now, gone)
}

// change stores the new and changed pods and removes the deleted ones. Then it checks the PodDisruptionBudgets of the
// pods that are no longer healthy.
func (g *Guard) change(now, gone []*corev1.Pod) {
	g.report.Events += len(now) + len(gone)
	var lost []*corev1.Pod
	for _, p := range now {
		if before := g.pods[p.UID]; before != nil && healthy(before) && !healthy(p) {
			lost = append(lost, p)
		}
		g.pods[p.UID] = p
		g.deletion(p)
	}
	for _, p := range gone {
		if before := g.pods[p.UID]; before != nil && healthy(before) {
			lost = append(lost, p)
		}
		delete(g.pods, p.UID)
	}
	for _, p := range lost {
		g.count(p)
	}
}

// count records the number of healthy pods for the PodDisruptionBudgets of a lost pod.
func (g *Guard) count(p *corev1.Pod) {
	for _, name := range slices.Sorted(maps.Keys(g.budgets)) {
		b := g.budgets[name]
		if !b.holds(p) {
			continue
		}
		n := 0
		for _, other := range g.pods {
			if b.holds(other) && healthy(other) {
				n++
			}
		}
		if low, known := g.report.Lowest[name]; !known || n < low {
			g.report.Lowest[name] = n
		}
		if want := desired(b); n < want {
			g.report.Violations = append(g.report.Violations, fmt.Sprintf("budget %s has %d healthy pods and needs %d, when %s goes", name, n, want, p.Name))
		}
	}
}

// deletion records when the deletion of a pod is requested, and whether it is requested again.
func (g *Guard) deletion(p *corev1.Pod) {
	if p.DeletionTimestamp == nil {
		return
	}
	end, known := g.deleted[p.UID]
	switch {
	case !known:
		g.deleted[p.UID] = p.DeletionTimestamp.Time
		g.report.Deleted[p.Spec.NodeName]++
	case !end.Equal(p.DeletionTimestamp.Time) && *p.DeletionGracePeriodSeconds > 0: // 0 comes from the kubelet
		g.report.Twice = append(g.report.Twice, p.Namespace+"/"+p.Name)
	}
}

func healthy(p *corev1.Pod) bool {
	return p.DeletionTimestamp == nil && slices.ContainsFunc(p.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	})
}

// budget is a PodDisruptionBudget with its parsed selector: each loss is counted over all pods.
type budget struct {
	*policyv1.PodDisruptionBudget
	selector labels.Selector
}

func newBudget(b *policyv1.PodDisruptionBudget) budget {
	selector, err := metav1.LabelSelectorAsSelector(b.Spec.Selector) // nil selects nothing
	if err != nil {
		selector = labels.Nothing()
	}
	return budget{b, selector}
}

func (b budget) holds(p *corev1.Pod) bool {
	return b.Namespace == p.Namespace && b.selector.Matches(labels.Set(p.Labels))
}

// desired returns the number of healthy pods that the spec requires. The expected number of pods comes from the
// controller: replicas do not change here, except for surges.
func desired(b budget) int {
	expected := int(b.Status.ExpectedPods)
	part := func(v *intstr.IntOrString) int {
		n, err := intstr.GetScaledValueFromIntOrPercent(v, expected, true)
		if err != nil {
			return 0
		}
		return n
	}
	switch {
	case b.Spec.MinAvailable != nil:
		return part(b.Spec.MinAvailable)
	case b.Spec.MaxUnavailable != nil:
		return max(0, expected-part(b.Spec.MaxUnavailable))
	}
	return 0
}

// Package guard watches disruption budgets from outside: it follows pods and budgets by watches of its own, counts
// at each event, and does not ask the disruption controller what it thinks is healthy or needed.
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
	"k8s.io/client-go/tools/cache"
)

// Guard follows the pods and budgets of one namespace.
type Guard struct {
	stop context.CancelFunc
	done sync.WaitGroup

	mu      sync.Mutex
	pods    map[types.UID]*corev1.Pod
	budgets map[string]*policyv1.PodDisruptionBudget
	deleted map[types.UID]time.Time
	report  Report
}

// Report is what was seen.
type Report struct {
	Events     int
	Violations []string       // a pod went although its budget had none to spare
	Twice      []string       // pods whose deletion was asked for again, with another end
	Deleted    map[string]int // how many pods were deleted, by node
	Lowest     map[string]int // the fewest healthy pods of each budget
}

// Watch begins with what is there; an empty namespace means all.
func Watch(ctx context.Context, client kubernetes.Interface, namespace string) (*Guard, error) {
	ctx, stop := context.WithCancel(ctx)
	g := &Guard{
		stop: stop, pods: map[types.UID]*corev1.Pod{}, budgets: map[string]*policyv1.PodDisruptionBudget{}, deleted: map[types.UID]time.Time{},
		report: Report{Deleted: map[string]int{}, Lowest: map[string]int{}},
	}
	var synced []cache.InformerSynced
	follow := func(lw cache.ListerWatcher, of runtime.Object, see func(any), gone func(any)) {
		_, informer := cache.NewInformerWithOptions(cache.InformerOptions{
			ListerWatcher: lw, ObjectType: of,
			Handler: cache.ResourceEventHandlerFuncs{AddFunc: see, UpdateFunc: func(_, o any) { see(o) }, DeleteFunc: gone},
		})
		synced = append(synced, informer.HasSynced)
		g.done.Go(func() { informer.RunWithContext(ctx) })
	}
	follow(cache.NewListWatchFromClient(client.PolicyV1().RESTClient(), "poddisruptionbudgets", namespace, fields.Everything()), &policyv1.PodDisruptionBudget{}, g.budget, g.budgetGone)
	follow(cache.NewListWatchFromClient(client.CoreV1().RESTClient(), "pods", namespace, fields.Everything()), &corev1.Pod{}, g.pod, g.podGone)
	if !cache.WaitForCacheSync(ctx.Done(), synced...) {
		stop()
		return nil, fmt.Errorf("watch pods and budgets: %w", ctx.Err())
	}
	return g, nil
}

// Stop ends the watch and returns what was seen.
func (g *Guard) Stop() Report {
	g.stop()
	g.done.Wait()
	return g.report
}

func (g *Guard) budget(o any) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if b, ok := o.(*policyv1.PodDisruptionBudget); ok {
		g.budgets[b.Namespace+"/"+b.Name] = b
	}
}

func (g *Guard) budgetGone(o any) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if b, ok := last(o).(*policyv1.PodDisruptionBudget); ok {
		delete(g.budgets, b.Namespace+"/"+b.Name)
	}
}

func (g *Guard) pod(o any) {
	if p, ok := o.(*corev1.Pod); ok {
		g.change(p, p)
	}
}

func (g *Guard) podGone(o any) {
	if p, ok := last(o).(*corev1.Pod); ok {
		g.change(p, nil)
	}
}

// change takes a pod's new state, nil: it is gone, and counts the budgets that held it.
func (g *Guard) change(p, now *corev1.Pod) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.report.Events++
	before := g.pods[p.UID]
	if now != nil {
		g.pods[p.UID] = now
		g.deletion(now)
	} else {
		delete(g.pods, p.UID)
	}
	if before == nil || !healthy(before) || now != nil && healthy(now) {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(g.budgets)) {
		b := g.budgets[name]
		if !holds(b, p) {
			continue
		}
		n := 0
		for _, other := range g.pods {
			if healthy(other) && holds(b, other) {
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

// deletion notes when a pod's end is asked for, and whether that happens again.
func (g *Guard) deletion(p *corev1.Pod) {
	if p.DeletionTimestamp == nil {
		return
	}
	end, known := g.deleted[p.UID]
	switch {
	case !known:
		g.deleted[p.UID] = p.DeletionTimestamp.Time
		g.report.Deleted[p.Spec.NodeName]++
	case !end.Equal(p.DeletionTimestamp.Time) && *p.DeletionGracePeriodSeconds > 0: // 0 is the kubelet's
		g.report.Twice = append(g.report.Twice, p.Namespace+"/"+p.Name)
	}
}

func healthy(p *corev1.Pod) bool {
	return p.DeletionTimestamp == nil && slices.ContainsFunc(p.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	})
}

func holds(b *policyv1.PodDisruptionBudget, p *corev1.Pod) bool {
	selector, err := metav1.LabelSelectorAsSelector(b.Spec.Selector)
	return err == nil && b.Spec.Selector != nil && b.Namespace == p.Namespace && selector.Matches(labels.Set(p.Labels))
}

// desired is how many healthy pods the budget needs by its spec. How many pods there should be is the
// controller's word: replicas do not change here, but for surges.
func desired(b *policyv1.PodDisruptionBudget) int {
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

// last is the object whose end was seen, or was found out later.
func last(o any) any {
	if late, ok := o.(cache.DeletedFinalStateUnknown); ok {
		return late.Obj
	}
	return o
}

//go:build linux

package scenario

import (
	"context"
	"fmt"
	"regexp"
	"sync"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"

	"github.com/nodetriage/nodetriage/lab"
)

// Signs records when the API first shows a fault of one node. Scenario.Sign is compared with a line for each change:
// "condition TYPE=STATUS REASON MESSAGE", "event REASON: MESSAGE", "pod REASON: MESSAGE", "pod overdue", "lease ahead",
// and with "broken" when the break is complete.
type Signs struct {
	node    string
	pattern *regexp.Regexp // nil: nothing shows the fault

	mu         sync.Mutex
	began      time.Time // zero: not yet
	told       time.Time
	by         string
	conditions map[corev1.NodeConditionType]string
}

// Watch watches the node in the API until ctx ends.
func (w *World) Watch(ctx context.Context, s Scenario) *Signs {
	signs := &Signs{node: w.Node, conditions: map[corev1.NodeConditionType]string{}}
	if s.Sign != "" {
		signs.pattern = regexp.MustCompile(s.Sign)
	}
	core, leases := w.Client.CoreV1().RESTClient(), w.Client.CoordinationV1().RESTClient()
	signs.follow(ctx, core, "nodes", &corev1.Node{})
	signs.follow(ctx, core, "pods", &corev1.Pod{})
	signs.follow(ctx, core, "events", &corev1.Event{})
	signs.follow(ctx, leases, "leases", &coordinationv1.Lease{})
	return signs
}

func (g *Signs) follow(ctx context.Context, client cache.Getter, resource string, kind runtime.Object) {
	_, informer := cache.NewInformerWithOptions(cache.InformerOptions{
		ListerWatcher: cache.NewListWatchFromClient(client, resource, metav1.NamespaceAll, fields.Everything()), ObjectType: kind,
		Handler: cache.ResourceEventHandlerFuncs{AddFunc: g.see, UpdateFunc: func(_, o any) { g.see(o) }},
	})
	go informer.RunWithContext(ctx)
}

// Begin marks the start of the fault.
func (g *Signs) Begin() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.began = time.Now()
}

// Broken marks the end of the break.
func (g *Signs) Broken() { g.line("broken") }

// Told returns when the API first showed the fault, and how; zero: not yet.
func (g *Signs) Told() (time.Time, string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.told, g.by
}

// within waits for that time, or until the API has shown the fault.
func (g *Signs) within(ctx context.Context, d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end) && lab.Pause(ctx, 100*time.Millisecond); {
		if told, _ := g.Told(); !told.IsZero() {
			return
		}
	}
}

func (g *Signs) line(text string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.began.IsZero() && g.told.IsZero() && g.pattern != nil && g.pattern.MatchString(text) {
		g.told, g.by = time.Now(), text
	}
}

// since reports whether a time of the API, in whole seconds, may be after the start.
func (g *Signs) since(t time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return !g.began.IsZero() && !t.Before(g.began.Truncate(time.Second))
}

func (g *Signs) see(object any) {
	switch o := object.(type) {
	case *corev1.Node:
		g.seeNode(o)
	case *corev1.Pod:
		if o.Spec.NodeName == g.node {
			g.seePod(o)
		}
	case *corev1.Event:
		g.seeEvent(o)
	case *coordinationv1.Lease:
		if o.Namespace == corev1.NamespaceNodeLease && o.Name == g.node && ahead(o) {
			g.line("lease ahead")
		}
	}
}

// ahead reports whether the holder of a lease renewed it in the future.
func ahead(l *coordinationv1.Lease) bool {
	return l.Spec.RenewTime != nil && time.Until(l.Spec.RenewTime.Time) > time.Minute
}

func (g *Signs) seePod(p *corev1.Pod) {
	if p.Status.Reason != "" {
		g.line("pod " + p.Status.Reason + ": " + p.Status.Message)
	}
	if p.DeletionTimestamp != nil && len(p.Finalizers) > 0 && !p.DeletionTimestamp.After(time.Now()) {
		g.line("pod overdue")
	}
}

func (g *Signs) seeEvent(e *corev1.Event) {
	last := e.LastTimestamp.Time
	if e.Series != nil {
		last = e.Series.LastObservedTime.Time
	}
	if last.IsZero() {
		last = e.EventTime.Time
	}
	about := e.InvolvedObject.Kind == "Node" && e.InvolvedObject.Name == g.node || e.Source.Host == g.node || e.ReportingInstance == g.node
	if about && g.since(last) {
		g.line("event " + e.Reason + ": " + e.Message)
	}
}

// seeNode processes the changed conditions; heartbeats are not changes.
func (g *Signs) seeNode(n *corev1.Node) {
	if n.Name != g.node {
		return
	}
	for _, c := range n.Status.Conditions {
		text := fmt.Sprintf("condition %s=%s %s %s", c.Type, c.Status, c.Reason, c.Message)
		g.mu.Lock()
		changed := g.conditions[c.Type] != text
		g.conditions[c.Type] = text
		g.mu.Unlock()
		if changed {
			g.line(text)
		}
	}
}

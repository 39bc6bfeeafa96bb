package publish

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/nodetriage/nodetriage/api/v1alpha1"
	"github.com/nodetriage/nodetriage/controller/engine"
	"github.com/nodetriage/nodetriage/controller/engine/enginetest"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// cluster counts the writes to an API server.
type cluster struct {
	client.Client
	writes []string
}

func newCluster(t *testing.T) *cluster {
	scheme := runtime.NewScheme()
	if corev1.AddToScheme(scheme) != nil || v1alpha1.AddToScheme(scheme) != nil {
		t.Fatal("no scheme")
	}
	c := &cluster{}
	note := func(what string, o client.Object) {
		c.writes = append(c.writes, fmt.Sprintf("%s %T %s", what, o, o.GetName()))
	}
	c.Client = fake.NewClientBuilder().WithScheme(scheme).WithStatusSubresource(&v1alpha1.NodeDiagnosis{}).WithInterceptorFuncs(interceptor.Funcs{
		Create: func(ctx context.Context, to client.WithWatch, o client.Object, opt ...client.CreateOption) error {
			note("create", o)
			return to.Create(ctx, o, opt...)
		},
		Delete: func(ctx context.Context, to client.WithWatch, o client.Object, opt ...client.DeleteOption) error {
			note("delete", o)
			return to.Delete(ctx, o, opt...)
		},
		SubResourceUpdate: func(ctx context.Context, to client.Client, sub string, o client.Object, opt ...client.SubResourceUpdateOption) error {
			note("update "+sub, o)
			return to.SubResource(sub).Update(ctx, o, opt...)
		},
	}).Build()
	return c
}

// judged judges a cluster of two nodes. The first has disk pressure, if it is sick.
func judged(t *testing.T, sick bool, at time.Time) *engine.Judgement {
	t.Helper()
	p := enginetest.Pair{At: at}
	if sick {
		p.FullSince = noon
	}
	return p.Judge(t)
}

// publish publishes a judgement and returns the writes that it took.
func (c *cluster) publish(t *testing.T, p *Publisher, j *engine.Judgement) []string {
	t.Helper()
	c.writes = nil
	if err := p.publish(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	return c.writes
}

func (c *cluster) status(t *testing.T) v1alpha1.NodeDiagnosisStatus {
	t.Helper()
	var o v1alpha1.NodeDiagnosis
	if err := c.Get(t.Context(), client.ObjectKey{Name: "n1"}, &o); err != nil {
		t.Fatal(err)
	}
	return o.Status
}

func (c *cluster) events(t *testing.T) (reasons []string) {
	t.Helper()
	var list corev1.EventList
	if err := c.List(t.Context(), &list); err != nil {
		t.Fatal(err)
	}
	for _, e := range list.Items {
		reasons = append(reasons, e.Reason)
	}
	slices.Sort(reasons)
	return reasons
}

// Each change is written once, with one Event, also after a restart.
func TestPublish(t *testing.T) {
	c := newCluster(t)
	p := New(c, nil)
	if w := c.publish(t, p, judged(t, false, noon)); len(w) != 0 {
		t.Errorf("a healthy cluster: %q", w)
	}
	if w := c.publish(t, p, judged(t, true, noon)); len(w) != 3 {
		t.Errorf("a sick node: %q", w)
	}
	s := c.status(t)
	if s.Verdict == v1alpha1.VerdictClear || s.Primary == nil || len(s.Findings[0].Evidence) == 0 || !meta.IsStatusConditionTrue(s.Conditions, v1alpha1.ConditionEvidenceFresh) {
		t.Errorf("published %+v", s)
	}
	if w := c.publish(t, p, judged(t, true, noon.Add(time.Minute))); len(w) != 0 {
		t.Errorf("nothing changed: %q", w)
	}
	if w := c.publish(t, New(c, nil), judged(t, true, noon.Add(11*time.Minute))); len(w) != 1 {
		t.Errorf("after a restart: %q", w)
	}
	c.publish(t, New(c, nil), judged(t, true, noon.Add(2*time.Minute)))
	if e := c.events(t); !slices.Equal(e, []string{reasonDiagnosed}) {
		t.Errorf("events %q", e)
	}
	if w := c.publish(t, p, judged(t, false, noon.Add(time.Hour))); len(w) != 2 {
		t.Errorf("a healed node: %q", w)
	}
	if s := c.status(t); s.Verdict != v1alpha1.VerdictClear || len(s.Resolved) != 1 || s.Resolved[0].Primary == nil {
		t.Errorf("healed %+v", s)
	}
	if e := c.events(t); !slices.Equal(e, []string{reasonDiagnosed, reasonRecovered}) {
		t.Errorf("events %q", e)
	}
	if w := c.publish(t, p, judged(t, false, noon.Add(26*time.Hour))); len(w) != 1 || w[0] != "delete *v1alpha1.NodeDiagnosis n1" {
		t.Errorf("a day later: %q", w)
	}
}

// A judgement that may be out of date changes the condition only, and creates no object.
func TestPublishBlind(t *testing.T) {
	c := newCluster(t)
	p := New(c, nil)
	blind := func(j *engine.Judgement) *engine.Judgement {
		j.Blind = &engine.Blindness{Reason: v1alpha1.ReasonWatchInterrupted, Message: "pods", Since: noon}
		return j
	}
	if w := c.publish(t, p, blind(judged(t, true, noon))); len(w) != 0 {
		t.Errorf("written from old evidence: %q", w)
	}
	c.publish(t, p, judged(t, true, noon))
	c.publish(t, p, blind(judged(t, false, noon.Add(time.Minute))))
	s := c.status(t)
	if s.Verdict == v1alpha1.VerdictClear || !meta.IsStatusConditionFalse(s.Conditions, v1alpha1.ConditionEvidenceFresh) {
		t.Errorf("published from old evidence: %+v", s)
	}
	if e := c.events(t); len(e) != 1 {
		t.Errorf("events %q", e)
	}
	if w := c.publish(t, p, blind(judged(t, false, noon.Add(2*time.Minute)))); len(w) != 0 {
		t.Errorf("written again: %q", w)
	}
	c.publish(t, p, judged(t, false, noon.Add(3*time.Minute)))
	if s := c.status(t); s.Verdict != v1alpha1.VerdictClear || !meta.IsStatusConditionTrue(s.Conditions, v1alpha1.ConditionEvidenceFresh) {
		t.Errorf("seen again: %+v", s)
	}
}

// An object whose status was not written, because the controller ended, gets it. Of two publishers with the same old objects one
// writes.
func TestPublishContinues(t *testing.T) {
	c := newCluster(t)
	if err := c.Create(t.Context(), &v1alpha1.NodeDiagnosis{ObjectMeta: metav1.ObjectMeta{Name: "n1"}}); err != nil {
		t.Fatal(err)
	}
	var old v1alpha1.NodeDiagnosis
	if err := c.Get(t.Context(), client.ObjectKey{Name: "n1"}, &old); err != nil {
		t.Fatal(err)
	}
	j := judged(t, true, noon)
	c.publish(t, New(c, nil), j)
	if err := New(c, nil).update(t.Context(), "n1", &old, j); err != nil {
		t.Errorf("a write that rests on an old object: %v", err)
	}
	if e := c.events(t); len(e) != 1 || c.status(t).Verdict == "" {
		t.Errorf("events %q", e)
	}
	other := newCluster(t)
	if err := other.Create(t.Context(), &v1alpha1.NodeDiagnosis{ObjectMeta: metav1.ObjectMeta{Name: "n1"}}); err != nil {
		t.Fatal(err)
	}
	if w := other.publish(t, New(other, nil), judged(t, false, noon)); len(w) != 1 {
		t.Errorf("an object without a status of a healthy node: %q", w)
	}
}

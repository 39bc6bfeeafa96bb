package nodecondition

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/nodetriage/nodetriage/api/v1alpha1"
	"github.com/nodetriage/nodetriage/controller/engine"
	"github.com/nodetriage/nodetriage/controller/engine/enginetest"
	"github.com/nodetriage/nodetriage/evidence"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// A tool may repair a node only for a fault of this node with a cause that is at least likely.
func TestHealth(t *testing.T) {
	primary := func(certainty v1alpha1.Certainty) *v1alpha1.CauseStatus {
		return &v1alpha1.CauseStatus{Cause: "runtime-down", Title: "Container runtime down", Certainty: certainty}
	}
	group := &engine.Group{Nodes: []string{"a", "b", "c"}}
	if c := health(&v1alpha1.NodeDiagnosisStatus{Verdict: v1alpha1.VerdictBroken, Primary: primary("certain")}, group); c.Status != corev1.ConditionUnknown || c.Reason != reasonShared {
		t.Errorf("of a group: %s %s", c.Status, c.Reason)
	}
	for want, s := range map[string]v1alpha1.NodeDiagnosisStatus{
		"True NodeWorks":        {Verdict: v1alpha1.VerdictClear},
		"True NodeWorks ":       {Verdict: v1alpha1.VerdictWarning, Primary: primary("certain")},
		"Unknown StateUnknown":  {Verdict: v1alpha1.VerdictUnknown},
		"Unknown CauseUnknown":  {Verdict: v1alpha1.VerdictBroken},
		"Unknown CauseUnknown ": {Verdict: v1alpha1.VerdictBroken, Primary: primary("possible")},
		"False FaultFound":      {Verdict: v1alpha1.VerdictBroken, Primary: primary("likely")},
		"False FaultFound ":     {Verdict: v1alpha1.VerdictBroken, Primary: primary("certain")},
	} {
		c := health(&s, nil)
		if got := fmt.Sprintf("%s %s", c.Status, c.Reason); got != want && got+" " != want {
			t.Errorf("%+v: %s, want %s", s, got, want)
		}
	}
}

// cluster counts the patches of an API server.
type cluster struct {
	client.Client
	patches []string
	fails   bool
}

func newCluster(t *testing.T) *cluster {
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	c := &cluster{}
	c.Client = fake.NewClientBuilder().WithScheme(scheme).WithInterceptorFuncs(interceptor.Funcs{
		SubResourcePatch: func(_ context.Context, _ client.Client, sub string, o client.Object, p client.Patch, _ ...client.SubResourcePatchOption) error {
			if c.fails {
				return errors.New("no")
			}
			body, err := p.Data(o)
			var n corev1.Node
			if err != nil || json.Unmarshal(body, &n) != nil || len(n.Status.Conditions) != 1 {
				t.Errorf("%s: %v", body, err)
			}
			got := n.Status.Conditions[0]
			c.patches = append(c.patches, fmt.Sprintf("%s %s %s=%s %s", o.GetName(), sub, got.Type, got.Status, got.Reason))
			return nil
		},
	}).Build()
	return c
}

// judged judges two nodes. The first has disk pressure, if it is sick; conditions are those of the writer in the evidence.
func judged(t *testing.T, sick bool, at time.Time, conditions map[string]corev1.NodeCondition) *engine.Judgement {
	t.Helper()
	p := enginetest.Pair{At: at, Conditions: conditions}
	if sick {
		p.FullSince = noon
	}
	return p.Judge(t)
}

func (c *cluster) write(t *testing.T, w *Writer, j *engine.Judgement, at time.Time) []string {
	t.Helper()
	c.patches = nil
	if err := w.write(t.Context(), j, at); err != nil {
		t.Fatal(err)
	}
	return c.patches
}

// Every node gets the condition once. Later only changes are written, and a condition that is False is withdrawn while the evidence may be
// out of date.
func TestWrite(t *testing.T) {
	c := newCluster(t)
	w := New(c, nil)
	expect := func(what string, got []string, want ...string) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	at := func(n int) time.Time { return noon.Add(time.Duration(n) * time.Minute) }
	expect("first", c.write(t, w, judged(t, true, at(1), nil), at(1)), "n1 status NodetriageHealthy=False FaultFound", "n2 status NodetriageHealthy=True NodeWorks")
	expect("before the evidence has it", c.write(t, w, judged(t, true, at(2), nil), at(2)))
	expect("when the evidence has it", c.write(t, w, judged(t, true, at(3), w.written), at(3)))
	blind := *judged(t, true, at(4), w.written)
	blind.Blind = &engine.Blindness{Reason: "WatchInterrupted", Message: "pods"}
	expect("blind", c.write(t, w, &blind, at(4)), "n1 status NodetriageHealthy=Unknown EvidenceStale")
	expect("blind again", c.write(t, w, &blind, at(5)))
	expect("healed", c.write(t, w, judged(t, false, at(6), w.written), at(6)), "n1 status NodetriageHealthy=True NodeWorks")
	other := New(c, nil)
	expect("another leader", c.write(t, other, judged(t, false, at(7), w.written), at(7)))
	c.fails = true
	if err := w.write(t.Context(), judged(t, true, at(8), w.written), at(8)); err == nil {
		t.Error("a failed write is no error")
	}
	c.fails = false
	expect("after a failure", c.write(t, w, judged(t, true, at(9), w.written), at(9)), "n1 status NodetriageHealthy=False FaultFound")
}

// Before the first judgement nothing is written.
func TestNotJudged(t *testing.T) {
	c := newCluster(t)
	if got := c.write(t, New(c, nil), &engine.Judgement{}, noon); len(got) > 0 {
		t.Errorf("%q", got)
	}
}

// The condition is no evidence: a node that works is clear in spite of an old condition that is False.
func TestNoEvidence(t *testing.T) {
	was := map[string]corev1.NodeCondition{"n1": {Type: evidence.ConditionNodetriageHealthy, Status: corev1.ConditionFalse, Reason: reasonFault, LastTransitionTime: metav1.NewTime(noon)}}
	if j := judged(t, false, noon.Add(time.Minute), was); len(j.Unclear) > 0 {
		t.Errorf("not clear: %q", j.Unclear)
	}
}

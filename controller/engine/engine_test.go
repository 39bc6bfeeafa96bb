package engine

import (
	"slices"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/api/v1alpha1"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
)

func judged(t *testing.T, nodes, sick int) (*Knowledge, *Judgement) {
	t.Helper()
	k, err := NewKnowledge("test")
	if err != nil {
		t.Fatal(err)
	}
	b := collect.NewBuilder(evidence.Source{Kind: "cluster"}, k.signatures)
	fill(b, nodes, 3, sick)
	return k, k.Judge(b.Snapshot())
}

// Only sick nodes are not clear. A node has the same verdict by its part of the evidence, and no other cause.
func TestJudge(t *testing.T) {
	k, j := judged(t, 12, 2)
	if !slices.Equal(j.Unclear, []string{"node-0000", "node-0001"}) {
		t.Fatalf("not clear: %q", j.Unclear)
	}
	for _, n := range j.Snapshot.Nodes() {
		whole, part := j.Node(n.Name), k.JudgeNode(n.Name, j.Snapshot.OfNode(n.Name))
		if whole.Verdict != part.Verdict || causeOf(part) != "" && causeOf(whole) != causeOf(part) {
			t.Errorf("%s is %s (%s), and %s (%s) by its part", n.Name, whole.Verdict, causeOf(whole), part.Verdict, causeOf(part))
		}
		if j.unclear(n.Name) != (whole.Verdict != v1alpha1.VerdictClear) {
			t.Errorf("%s is %s", n.Name, whole.Verdict)
		}
	}
}

func causeOf(s v1alpha1.NodeDiagnosisStatus) string {
	if s.Primary == nil {
		return ""
	}
	return s.Primary.Cause
}

// A newer status of a node is in a new judgement, and the old one does not change.
func TestWith(t *testing.T) {
	_, old := judged(t, 6, 1)
	now := old.with("node-0003", v1alpha1.NodeDiagnosisStatus{Verdict: v1alpha1.VerdictBroken})
	if old.Node("node-0003").Verdict != v1alpha1.VerdictClear || len(old.Unclear) != 1 {
		t.Errorf("the old judgement changed: %q", old.Unclear)
	}
	if now.Node("node-0003").Verdict != v1alpha1.VerdictBroken || !slices.Equal(now.Unclear, []string{"node-0000", "node-0003"}) {
		t.Errorf("the new one has %q", now.Unclear)
	}
}

// A reader gets the newest judgement. While the evidence may be old, it is the last one, with the reason and since when.
func TestBlindness(t *testing.T) {
	k, j := judged(t, 6, 1)
	e := New(nil, k, Options{})
	readers := []<-chan *Judgement{e.Judgements(), e.Judgements()}
	if e.Current().Blind == nil || e.Current().Judged() || e.Current().Node("node-0000").Verdict != v1alpha1.VerdictUnknown {
		t.Error("before the first judgement something is known")
	}
	e.publish(j)
	e.blind(v1alpha1.ReasonWatchInterrupted, "pods", noon)
	e.blind(v1alpha1.ReasonAPIServerUnreachable, "no route", noon.Add(time.Minute))
	for _, c := range readers {
		now := <-c
		if now.Blind == nil || now.Blind.Reason != v1alpha1.ReasonAPIServerUnreachable || !now.Blind.Since.Equal(noon) || len(now.Unclear) != 1 {
			t.Errorf("%+v", now)
		}
	}
	if j.Blind != nil {
		t.Error("a judgement changed after it was made")
	}
	e.publish(j)
	if e.Current().Blind != nil {
		t.Error("blind after a judgement")
	}
}

// A cluster is judged as a whole after a change, at most a tenth of the time, and from time to time without a change.
func TestDue(t *testing.T) {
	for _, c := range []struct {
		took, since time.Duration
		soon, due   bool
	}{
		{10 * time.Millisecond, 900 * time.Millisecond, true, false},
		{10 * time.Millisecond, time.Second, true, true},
		{10 * time.Millisecond, 4 * time.Second, false, false},
		{10 * time.Millisecond, 5 * time.Second, false, true},
		{500 * time.Millisecond, 4 * time.Second, true, false},
		{500 * time.Millisecond, 5 * time.Second, true, true},
		{2 * time.Second, 9 * time.Second, true, false},
		{2 * time.Second, 10 * time.Second, true, true},
		{2 * time.Second, 19 * time.Second, false, false},
		{20 * time.Second, 29 * time.Second, false, false},
		{20 * time.Second, 30 * time.Second, false, true},
	} {
		e := &Engine{begun: noon, took: c.took, soon: c.soon}
		if got := e.due(noon.Add(c.since)); got != c.due {
			t.Errorf("%+v: due %v", c, got)
		}
	}
}

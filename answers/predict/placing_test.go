package predict_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/answers/predict"
	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/mechanics/placement/scheduler"
)

// after is a board with room for a number of pods after the nodes return, and for none before.
type after struct {
	placement.Board
	room int
	down map[string]bool // nodes with the taint of a dead node
}

func roomAfter(pods int) placement.Open {
	return func(s *evidence.Snapshot) (placement.Board, error) {
		b, err := scheduler.New(s)
		return &after{b, pods, nil}, err
	}
}

func (b *after) Clone() (placement.Board, error) {
	c, err := b.Board.Clone()
	return &after{c, b.room, map[string]bool{}}, err
}

func (b *after) PutNode(n *corev1.Node) {
	b.down[n.Name] = slices.ContainsFunc(n.Spec.Taints, func(t corev1.Taint) bool { return t.Key == corev1.TaintNodeUnreachable })
	b.Board.PutNode(n)
}

func (b *after) Fit(p *evidence.Pod) placement.Answer {
	if b.room == 0 || slices.Contains(slices.Collect(maps.Values(b.down)), true) {
		return placement.Answer{Verdict: placement.Pending, Message: "no room"}
	}
	return placement.Answer{Verdict: placement.Fits, Feasible: b.Nodes()[:1]}
}

func (b *after) Assume(*evidence.Pod, string) error {
	b.room--
	return nil
}

// Pods that are already Pending may be scheduled before one that waits for its node, unless their priority is lower.
func TestWaitsAmongOthers(t *testing.T) {
	for name, x := range map[string]struct {
		room     int // more than the replacements need
		priority int32
		gated    bool
		want     placement.Verdict
	}{
		"room for all":             {1, 0, false, placement.Fits},
		"room for one too few":     {0, 0, false, placement.Unknown},
		"one that is less":         {0, -1, false, placement.Fits},
		"one that does not ask":    {0, 0, true, placement.Fits},
		"one that is of more rank": {0, 1, false, placement.Unknown},
	} {
		t.Run(name, func(t *testing.T) {
			c, s := readCase(t, casetest.Open(t, "testdata/reboot-400.txtar"))
			c.Board = roomAfter(len(replacements(t, s, c.Scenario).Pods) + x.room)
			rival := &evidence.Pod{Namespace: "web", Name: "rival", Phase: corev1.PodPending, Spec: &corev1.PodSpec{Priority: &x.priority}}
			if x.gated {
				rival.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "quota"}}
			}
			d := *s.Data()
			d.Pods = append(slices.Clone(d.Pods), rival)
			unsure := 0
			f := replacements(t, evidence.New(d), c.Scenario)
			for _, p := range f.Pods {
				switch r := p.Replacement; {
				case r.Placement == placement.Unknown && strings.Contains(r.Message, "web/rival"):
					unsure++
					if slices.ContainsFunc(f.Workloads, func(w predict.WorkloadFate) bool { return w.Kind+"/"+w.Name == p.Owner && w.RestoredAt != nil }) {
						t.Errorf("%s has all its pods again, for sure", p.Owner)
					}
				case r.Placement != placement.Fits:
					t.Errorf("%s: %s (%s)", p.Name, r.Placement, r.Message)
				}
			}
			if (unsure > 0) != (x.want == placement.Unknown) {
				t.Errorf("%d are not sure of their room", unsure)
			}
		})
	}
}

// replacements returns the forecast of the pods that the scheduler is used for.
func replacements(t *testing.T, s *evidence.Snapshot, sc predict.Scenario) *predict.Forecast {
	t.Helper()
	f, err := predict.New(s, sc)
	if err != nil {
		t.Fatal(err)
	}
	f.Pods = slices.DeleteFunc(f.Pods, func(p predict.PodFate) bool {
		return p.Replacement.Kind != predict.Created || strings.HasPrefix(p.Owner, "DaemonSet/")
	})
	return f
}

// A pod that does not fit while its node is down waits for that node, and starts when it returns.
func TestWaitsForTheNode(t *testing.T) {
	c, s := readCase(t, casetest.Open(t, "testdata/reboot-400.txtar"))
	c.Board = roomAfter(-1)
	f, err := predict.New(s, c.Scenario)
	if err != nil {
		t.Fatal(err)
	}
	waited := 0
	for _, p := range f.Pods {
		r := p.Replacement
		if r.Kind != predict.Created || r.At == nil || time.Duration(r.At.From) >= *c.BackAfter || p.Owner == "" {
			continue
		}
		waited++
		if r.Placement != placement.Fits || r.StartsAt == nil || time.Duration(r.StartsAt.From) < *c.BackAfter {
			t.Errorf("%s: %s, created %s, starts %s; the node is back after %s", p.Name, r.Placement, r.At, r.StartsAt, *c.BackAfter)
		}
	}
	if waited == 0 {
		t.Error("no pod was replaced before the node was back")
	}
}

package simulate_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/simulate"
)

// full has room for nobody until the nodes are back.
type full struct{}

func (full) Place(_ *evidence.Snapshot, pods []simulate.Wanted, _ simulate.After) []simulate.Place {
	out := make([]simulate.Place, len(pods))
	for i, p := range pods {
		out[i] = simulate.Place{Fit: simulate.Pending, Message: "no room"}
		if p.NodesBack {
			out[i] = simulate.Place{Fit: simulate.Fits, Nodes: 1}
		}
	}
	return out
}

// little has room for so many of all that ask when the nodes are back.
type little struct{ room int }

func (l little) Place(s *evidence.Snapshot, pods []simulate.Wanted, after simulate.After) []simulate.Place {
	out := full{}.Place(s, pods, after)
	left := l.room
	for i := range out {
		switch {
		case out[i].Fit == simulate.Fits && left == 0:
			out[i] = simulate.Place{Fit: simulate.Pending, Message: "no room"}
		case out[i].Fit == simulate.Fits:
			left--
		}
	}
	return out
}

// Pods that are Pending already may be faster than one that waits for its node, unless they are less important.
func TestWaitsAmongOthers(t *testing.T) {
	for name, x := range map[string]struct {
		room     int // more than the replacements need
		priority int32
		gated    bool
		want     simulate.Fit
	}{
		"room for all":             {1, 0, false, simulate.Fits},
		"room for one too few":     {0, 0, false, simulate.UnknownFit},
		"one that is less":         {0, -1, false, simulate.Fits},
		"one that does not ask":    {0, 0, true, simulate.Fits},
		"one that is of more rank": {0, 1, false, simulate.UnknownFit},
	} {
		t.Run(name, func(t *testing.T) {
			_, c, s := readCase(t, "testdata/reboot-400.txtar")
			c.Placer = little{len(replacements(t, s, c.Scenario).Pods) + x.room}
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
				case r.Placement == simulate.UnknownFit && strings.Contains(r.Message, "web/rival"):
					unsure++
					if slices.ContainsFunc(f.Workloads, func(w simulate.WorkloadFate) bool { return w.Kind+"/"+w.Name == p.Owner && w.RestoredAt != nil }) {
						t.Errorf("%s has all its pods again, for sure", p.Owner)
					}
				case r.Placement != simulate.Fits:
					t.Errorf("%s: %s (%s)", p.Name, r.Placement, r.Message)
				}
			}
			if (unsure > 0) != (x.want == simulate.UnknownFit) {
				t.Errorf("%d are not sure of their room", unsure)
			}
		})
	}
}

// replacements is the forecast of the pods that the scheduler is asked about.
func replacements(t *testing.T, s *evidence.Snapshot, sc simulate.Scenario) *simulate.Forecast {
	t.Helper()
	f, err := simulate.New(s, sc)
	if err != nil {
		t.Fatal(err)
	}
	f.Pods = slices.DeleteFunc(f.Pods, func(p simulate.PodFate) bool {
		return p.Replacement.Kind != simulate.Created || strings.HasPrefix(p.Owner, "DaemonSet/")
	})
	return f
}

// A pod that finds no room while its node is away waits for that node, and starts when it is back.
func TestWaitsForTheNode(t *testing.T) {
	_, c, s := readCase(t, "testdata/reboot-400.txtar")
	c.Placer = full{}
	f, err := simulate.New(s, c.Scenario)
	if err != nil {
		t.Fatal(err)
	}
	waited := 0
	for _, p := range f.Pods {
		r := p.Replacement
		if r.Kind != simulate.Created || r.At == nil || time.Duration(r.At.From) >= *c.BackAfter || p.Owner == "" {
			continue
		}
		waited++
		if r.Placement != simulate.Fits || r.StartsAt == nil || time.Duration(r.StartsAt.From) < *c.BackAfter {
			t.Errorf("%s: %s, created %s, starts %s; the node is back after %s", p.Name, r.Placement, r.At, r.StartsAt, *c.BackAfter)
		}
	}
	if waited == 0 {
		t.Error("no pod was replaced before the node was back")
	}
}

package accuracy_test

import (
	"os"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/accuracy"
)

// One case in ten of each kind of change: no more plays fail than are known to fail. The goal is zero.
func TestChangedCases(t *testing.T) {
	known := figures(t)
	w := world(t)
	results := w.Run(accuracy.Sample{Seed: accuracy.FigureSeed, Of: accuracy.SampleOf})
	for _, now := range accuracy.Measured(results) {
		before := 0
		for _, k := range known.Plays {
			if k.Kind == now.Kind {
				before = k.Sampled
			}
		}
		t.Logf("%-18s %3d of %3d plays fail, %d may; goal: %s", now.Kind, now.Failed, now.Plays, before, now.Goal)
		if now.Plays == 0 {
			t.Errorf("%s: nothing was played", now.Kind)
		}
		if now.Failed <= before {
			continue
		}
		t.Errorf("%s: %d plays of the sample fail, at most %d may", now.Kind, now.Failed, before)
		shown := 0
		for _, r := range results {
			if r.Kind == now.Kind && r.Reason != "" && shown < 5 {
				shown++
				t.Logf("go run ./accuracy/cmd/accuracy -shrink %s\n    %s: %s", r.Repeat(), r.Reason, r.Detail)
			}
		}
	}
}

// The page matches the figures, and counts every case.
func TestPage(t *testing.T) {
	cases := world(t).Cases
	want := accuracy.Page(figures(t), cases)
	for _, c := range cases {
		if !strings.Contains(want, "\n| "+c.Truth.Provenance+" |") {
			t.Errorf("%s: the page does not count cases of provenance %q", c.Name, c.Truth.Provenance)
		}
	}
	is, err := os.ReadFile("../docs/measurements/accuracy.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(is) != want {
		t.Error("docs/measurements/accuracy.md is not what accuracy/figures.yaml and cases/ say: make accuracy")
	}
}

func figures(t *testing.T) accuracy.Figures {
	t.Helper()
	f, err := accuracy.ReadFigures("figures.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func world(t *testing.T) *accuracy.World {
	t.Helper()
	w, err := accuracy.NewWorld("../cases")
	if err != nil {
		t.Fatal(err)
	}
	return w
}

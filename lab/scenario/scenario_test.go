//go:build linux

package scenario_test

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/nodetriage/nodetriage/lab"
	"github.com/nodetriage/nodetriage/lab/scenario"
)

// Every scenario names causes of the catalog, and can be found by its name.
func TestTruths(t *testing.T) {
	for _, s := range slices.Concat(scenario.All(), scenario.Units()) {
		if found, err := scenario.Named(s.Name); err != nil || found.Truth.Class != s.Truth.Class {
			t.Errorf("%s: %v", s.Name, err)
		}
		for _, cause := range slices.Concat([]string{s.Truth.Class}, s.Truth.Wider, s.Truth.Not) {
			if _, err := os.Stat(filepath.Join("..", "..", "knowledge", "catalog", "causes", cause+".md")); err != nil {
				t.Errorf("%s: the catalog has no cause %s", s.Name, cause)
			}
		}
		for _, way := range slices.Concat(s.Beyond, slices.Collect(maps.Keys(s.Needs))) {
			if !slices.Contains(scenario.Ways, way) {
				t.Errorf("%s: %q is no way of having evidence", s.Name, way)
			}
		}
	}
}

// at returns the number of parallel labs: they mostly wait. Other packages run real nodes at the same time.
func at() int { return min(8, lab.MachinesAtOnce()/2) }

var all = flag.Bool("all", false, "play every scenario, not only those that show within a minute")

// Each scenario breaks a real node and is evaluated with every kind of evidence. Each answer must be the truth, or
// unknown with the required evidence if the scenario permits it. Then the node heals. The scorecard lists the times.
func TestScenarios(t *testing.T) {
	if err := lab.CanRunMachines(); err != nil {
		t.Skip(err)
	}
	bin, err := lab.BuildNode(t.Context(), os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	program, err := lab.BuildOwn("../../cmd/nodetriage", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	recorder := scenario.Recorder{Program: program, Kubectl: filepath.Join(bin, "kubectl"), Late: true}
	scenarios := scenario.All()
	if err := lab.CanRunSystemd(); err != nil {
		t.Logf("what only systemd can show is left out: %v", err)
	} else if _, err := lab.BuildRoot(t.Context(), os.Stderr); err != nil {
		t.Fatal(err)
	} else {
		scenarios = append(scenario.Units(), scenarios...) // their nodes take longest to start
	}
	var group errgroup.Group
	group.SetLimit(at())
	var loud []scenario.Scenario
	for _, s := range scenarios {
		switch {
		case !*all && (s.After > time.Minute || s.Loud):
			t.Logf("%s: left to -all and make scorecard", s.Name)
		case s.Loud:
			loud = append(loud, s)
		default:
			dir := filepath.Join(t.TempDir(), s.Name)
			group.Go(func() error { play(t, recorder, s, dir); return nil })
		}
	}
	group.Wait()
	for _, s := range loud {
		play(t, recorder, s, filepath.Join(t.TempDir(), s.Name))
	}
}

// maxSaved is the maximum size of the file of node-check --save.
const maxSaved = 20_000_000

func play(t *testing.T, recorder scenario.Recorder, s scenario.Scenario, dir string) {
	r, err := recorder.Run(t.Context(), s, dir, os.Stderr)
	if err != nil {
		t.Errorf("%s: %v", s.Name, err)
		return
	}
	for _, way := range scenario.Ways {
		a := r.Answers[way]
		if testing.Verbose() {
			t.Logf("%s, %s: %s %s after %s, %v", s.Name, way, a.Verdict, a.Need, r.First[way].Round(time.Second), a.Causes)
		}
		if !s.Expected(way, a) {
			t.Errorf("%s, %s: %s: %v; need %q named %q", s.Name, way, a.Verdict, a.Causes, s.Needs[way], a.Need)
		}
	}
	if t.Logf("%s: saved in %s, %d bytes", s.Name, r.Save.Took.Round(time.Millisecond), r.Save.Size); r.Save.Size > maxSaved {
		t.Errorf("%s: %d bytes are saved", s.Name, r.Save.Size)
	}
	if !r.Healed {
		t.Errorf("%s: the node is not Ready three minutes after it was healed", s.Name)
	}
}

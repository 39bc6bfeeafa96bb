//go:build linux

package scenario_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/nodetriage/nodetriage/lab"
	"github.com/nodetriage/nodetriage/lab/scenario"
)

// Every scenario names causes of the catalogue, and can be found by its name.
func TestTruths(t *testing.T) {
	for _, s := range scenario.All() {
		if found, err := scenario.Named(s.Name); err != nil || found.Truth.Class != s.Truth.Class {
			t.Errorf("%s: %v", s.Name, err)
		}
		for _, cause := range append(append([]string{s.Truth.Class}, s.Truth.Secondary...), append(s.Truth.Not, s.Truth.Wider...)...) {
			if _, err := os.Stat(filepath.Join("..", "..", "catalog", "causes", cause+".md")); err != nil {
				t.Errorf("%s: the catalogue has no cause %s", s.Name, cause)
			}
		}
	}
}

// quick are the scenarios that every test run breaks: at least one for each part, none that takes minutes.
var quick = []string{"runtime-stopped", "cni-config-removed", "certificate-expired", "budget-blocks-drain", "zone-silent", "inodes-full"}

// Broken for real, judged in every way: no answer is wrong, the full evidence gives the cause, and the node heals.
func TestScenarios(t *testing.T) {
	if err := lab.CanRunMachines(); err != nil {
		t.Skip(err)
	}
	bin, err := lab.BuildNode(t.Context(), os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "nodetriage")
	if out, err := exec.Command("go", "build", "-C", filepath.Join("..", ".."), "-o", program, "./cmd/nodetriage").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	recorder := scenario.Recorder{Program: program, Kubectl: filepath.Join(bin, "kubectl")}
	var group errgroup.Group
	group.SetLimit(3)
	for _, s := range scenario.All() {
		if !slices.Contains(quick, s.Name) {
			continue
		}
		dir := filepath.Join(t.TempDir(), s.Name)
		group.Go(func() error {
			r, err := recorder.Run(t.Context(), s, dir, os.Stderr)
			if err != nil {
				t.Errorf("%s: %v", s.Name, err)
				return nil
			}
			t.Logf("%s: NotReady after %s, answer after %s, %v", s.Name, r.NotReady, r.Answered, r.Answers)
			for way, a := range r.Answers {
				if a.Verdict == scenario.Wrong {
					t.Errorf("%s, %s: wrong: %v", s.Name, way, a.Causes)
				}
			}
			best := scenario.Report
			if !s.Real {
				best = scenario.API
			}
			if v := r.Answers[best].Verdict; v != scenario.Right {
				t.Errorf("%s, %s: %s: %v", s.Name, best, v, r.Answers[best].Causes)
			}
			if !r.Healed {
				t.Errorf("%s: the node is not Ready a minute after it was healed", s.Name)
			}
			return nil
		})
	}
	group.Wait()
}

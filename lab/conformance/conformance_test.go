//go:build unix

package conformance

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/lab"
)

var (
	randomCases = flag.Int("cases", 6, "random scenarios to play")
	randomSeed  = flag.Uint64("seed", 20261121, "of the random scenarios")
	minor       = flag.String("kubernetes", "", "minor version of the control planes; empty: the lab's own")
)

// A part of the scenarios, with every kind of event, and some random scenarios match the forecast; make conformance
// runs all.
func TestQuick(t *testing.T) {
	list, err := Choose("quick")
	if err != nil {
		t.Fatal(err)
	}
	asPredicted(t, *minor, append(list, Random(*randomSeed, 0, *randomCases)...))
}

// The same applies to every other version of Kubernetes, with default settings, because the defaults differ.
func TestReleases(t *testing.T) {
	for _, minor := range lab.Releases() {
		if strings.HasPrefix(lab.KubernetesVersion, "v"+minor+".") {
			continue // of TestQuick
		}
		t.Run(minor, func(t *testing.T) {
			list, err := Choose(OfReleases)
			if err != nil {
				t.Fatal(err)
			}
			asPredicted(t, minor, list)
		})
	}
}

func asPredicted(t *testing.T, minor string, list []*Scenario) {
	program, err := lab.BuildOwn("../../cmd/nodetriage", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	results, err := Trial{Program: program, Kubernetes: minor, Log: os.Stderr}.Run(t.Context(), list)
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	if err := Table(&table, results); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + table.String())
	for _, r := range results {
		if !r.Right() {
			t.Errorf("%s %s", r.Name, r.says())
		}
	}
}

// The seed reproduces random scenarios, and all of their widths can be calculated.
func TestRandom(t *testing.T) {
	once, again := Random(*randomSeed, 0, 200), Random(*randomSeed, 100, 100)
	events := map[string]bool{}
	for i, s := range once {
		if i >= 100 && s.Shows != again[i-100].Shows {
			t.Errorf("%s is another one: %s, and %s", s.Name, s.Shows, again[i-100].Shows)
		}
		event, _, _ := strings.Cut(s.Shows, " of ")
		events[event] = true
		plane := settings[s.Plane]
		for _, sum := range []string{s.Widths.NotReady, s.Widths.ReadyAgain, s.Widths.Tainted, s.Widths.Deleted, s.Widths.Gone, s.Widths.Replaced} {
			if _, err := plane.allowed(sum); err != nil {
				t.Errorf("%s: %v", s.Name, err)
			}
		}
		if s.Down < 1 || s.Down >= s.Nodes || len(s.Loads) < 2 {
			t.Errorf("%s: %s", s.Name, s.Shows)
		}
	}
	if len(events) < 15 {
		t.Errorf("only %d kinds of events: %v", len(events), events)
	}
}

// The table is valid: names are unique, every scenario has an event or nodes that are down, and every width can be
// calculated.
func TestScenarios(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range All() {
		if seen[s.Name] || s.Name == "" || s.Shows == "" {
			t.Errorf("%q: no name, no sentence, or twice", s.Name)
		}
		seen[s.Name] = true
		plane, ok := settings[s.Plane]
		if !ok {
			t.Errorf("%s: no control plane %q", s.Name, s.Plane)
		}
		if len(s.Do) == 0 && len(s.Before) == 0 || s.Down < 1 || s.Down > s.Nodes || len(s.Loads) == 0 {
			t.Errorf("%s: nothing happens, or to nothing", s.Name)
		}
		w := s.Widths.or()
		for _, sum := range []string{w.NotReady, w.ReadyAgain, w.Tainted, w.Deleted, w.Gone, w.Replaced} {
			if _, err := plane.allowed(sum); err != nil {
				t.Errorf("%s: %v", s.Name, err)
			}
		}
	}
	if len(seen) < 40 {
		t.Error(fmt.Sprint(len(seen), " scenarios; 40 are wanted"))
	}
}

//go:build unix

package conformance

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A part of the scenarios, each kind of event among them, is as predicted; make conformance plays all.
func TestQuick(t *testing.T) {
	program := filepath.Join(t.TempDir(), "nodetriage")
	if out, err := exec.Command("go", "build", "-C", "../..", "-o", program, "./cmd/nodetriage").CombinedOutput(); err != nil {
		t.Fatalf("build nodetriage: %v\n%s", err, out)
	}
	list, err := Choose("quick")
	if err != nil {
		t.Fatal(err)
	}
	results, err := Run(t.Context(), program, list, os.Stderr)
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

// The table itself is sound: names are unique, every scenario has an event or nodes that are down, and every width
// can be summed.
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

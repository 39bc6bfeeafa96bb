//go:build linux

package scenario_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/nodetriage/nodetriage/lab"
	"github.com/nodetriage/nodetriage/lab/scenario"
)

var remedies = flag.String("remedies", "", "do what is advised, on broken nodes with systemd: scenarios with commas between, or all")

// The remedies of a finding run on the broken node, one by one. No tool may reject its command line, and the test
// reports a remedy that does not fix the node.
func TestRemedies(t *testing.T) {
	if *remedies == "" {
		t.Skip("-remedies plays it")
	}
	if err := lab.CanRunSystemd(); err != nil {
		t.Skip(err)
	}
	bin, err := lab.BuildNode(t.Context(), os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lab.BuildRoot(t.Context(), os.Stderr); err != nil {
		t.Fatal(err)
	}
	crictl, err := lab.BuildCrictl(t.Context(), os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	program, err := lab.BuildOwn("../../cmd/nodetriage", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	recorder := scenario.Recorder{Program: program, Kubectl: filepath.Join(bin, "kubectl"), Crictl: crictl, Late: true, Systemd: true}
	var group errgroup.Group
	group.SetLimit(min(4, at())) // remedies wait for fixed times
	for _, s := range slices.Concat(scenario.Units(), scenario.All()) {
		if *remedies != "all" && !slices.Contains(strings.Split(*remedies, ","), s.Name) || s.Loud || s.Hollow || s.Plain && s.Real {
			continue
		}
		dir := filepath.Join(t.TempDir(), s.Name)
		group.Go(func() error { try(t, recorder, s, dir); return nil })
	}
	group.Wait()
}

func try(t *testing.T, recorder scenario.Recorder, s scenario.Scenario, dir string) {
	tried, err := recorder.Remedy(t.Context(), s, dir, os.Stderr)
	if err != nil {
		t.Errorf("%s: %v", s.Name, err)
	}
	ran, mended := 0, "no remedy that the lab can try"
	for _, one := range tried {
		for _, c := range one.Commands {
			if c.Left != "" {
				t.Logf("%s: left, %s: %s", s.Name, c.Left, c.Command)
				continue
			}
			ran++
			t.Logf("%s: exit %d: %s", s.Name, c.Code, c.Command)
			if c.Code != 0 {
				t.Logf("%s: it says: %.400s", s.Name, c.Output)
			}
			if c.Refused() {
				t.Errorf("%s: %s: refused: %.400s", s.Name, c.Command, c.Output)
			}
		}
		if one.Still != "" {
			t.Logf("%s: found after it: %.1500s", s.Name, one.Still)
		}
		if one.Mended {
			mended = one.Title
		}
	}
	t.Logf("%s: %d commands ran; mended by: %s", s.Name, ran, mended)
}

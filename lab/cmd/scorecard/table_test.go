//go:build linux

package main

import (
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/lab"
	"github.com/nodetriage/nodetriage/lab/scenario"
)

// A run of one scenario replaces its two rows in the page and keeps the other rows. The counts cover the whole page.
func TestTableKeepsRows(t *testing.T) {
	result := func(name string, v scenario.Verdict, after time.Duration) *scenario.Result {
		s, err := scenario.Named(name)
		if err != nil {
			t.Fatal(err)
		}
		r := &scenario.Result{Scenario: s, Answers: map[string]scenario.Answer{}, First: map[string]time.Duration{}, Told: after / 2, Healed: true}
		r.Save = lab.Save{Size: int(after/time.Second) * 10_000, Took: after}
		for _, way := range scenario.Ways {
			r.Answers[way], r.First[way] = scenario.Answer{Verdict: v}, after
		}
		return r
	}
	page, wrong := table("", scenario.All(), []*scenario.Result{result("partition", scenario.Wrong, time.Minute), result("kubelet-stopped", scenario.Right, 4*time.Second), nil})
	if wrong != 5 {
		t.Errorf("%d answers are wrong, not 5", wrong)
	}
	page, wrong = table(page, scenario.All(), []*scenario.Result{result("partition", scenario.Right, 7*time.Second)})
	if wrong != 0 || !strings.Contains(page, "10 right, 0 second, 0 unknown, 0 wrong.") {
		t.Errorf("%d are wrong in\n%s", wrong, page)
	}
	for _, row := range []string{
		"| kubelet-stopped | kubelet-stopped | right | right | right | right | right | yes |\n| partition | network-partition | right |",
		"| kubelet-stopped | - | 4 s | 4 s | 4 s | 4 s | 0 s | 2 s | 4 s, 40 kB |\n| partition | - | 7 s |",
		"Of 2 files of saved evidence the largest has 70 kB (at most 20000 are wanted) and the longest took 7 s",
	} {
		if !strings.Contains(page, row) {
			t.Errorf("%q is not in\n%s", row, page)
		}
	}
}

// A page from before a kind of evidence was added has other columns: its rows would not match the new header.
func TestTableDropsOtherColumns(t *testing.T) {
	page, _ := table("| swap-on | swap-enabled | right | right | yes |\n## Times\n| swap-on | - | 4 s | 4 s | 0 s | 2 s |\n", scenario.All(), nil)
	if strings.Contains(page, "swap-on") {
		t.Errorf("rows of other columns are kept in\n%s", page)
	}
}

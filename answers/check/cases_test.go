package check_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/answers/check"
	"github.com/nodetriage/nodetriage/answers/upgrade"
	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/cases/casetest/snapshots"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics/placement/scheduler"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/triage"
)

// A case is the table of a cluster, the pool that is to be upgraded if any, the exceptions if any, and the review.
func TestCases(t *testing.T) {
	found := map[string]bool{}
	casetest.Run(t, "testdata/*.txtar", func(t *testing.T, c *casetest.Case) {
		s := snapshots.Table(t, c, "except", "upgrade")
		var upgrades []*upgrade.Plan
		if pool := c.Text("upgrade"); pool != "" {
			u, err := upgrade.New(s, upgrade.Options{Pool: pool, Board: scheduler.New})
			if err != nil {
				t.Fatal(err)
			}
			upgrades = append(upgrades, u)
		}
		r := check.New(s, snapshots.TableTime, scheduler.New, upgrades...)
		if text := c.Text("except"); text != "" {
			r.Except(exceptions(text))
		}
		for _, w := range r.Weaknesses {
			found[w.Check] = true
			if len(w.Subjects) != len(w.Details) || w.Fix == "" {
				t.Errorf("%s: %d subjects, %d details, fix %q", w.Check, len(w.Subjects), len(w.Details), w.Fix)
			}
		}
		var got bytes.Buffer
		if err := report.Review(&got, r, report.Style{Width: 100, Wide: true}); err != nil {
			t.Fatal(err)
		}
		c.Want(t, "want", got.String())
	})
	for _, id := range check.Checks() {
		if !found[id] && !slices.Contains(elsewhere, id) && !strings.HasPrefix(id, "cloud-") {
			t.Errorf("no case in which check %s finds anything", id)
		}
	}
}

// elsewhere are the checks that other tests of the room hold.
var elsewhere = []string{"budget-suspended", "surge-left", "drain-unfinished", "plugin-needs", "plugin-untested", "pod-density", "certificate-expires"}

// exceptions leaves out the subjects of "CHECK SUBJECT" lines.
func exceptions(text string) func(check string, on evidence.Subject) *triage.Exception {
	return func(check string, on evidence.Subject) *triage.Exception {
		for line := range strings.Lines(text) {
			if id, subject, _ := strings.Cut(strings.TrimSpace(line), " "); id == check && subject == on.String() {
				return &triage.Exception{Why: "known", Until: "2026-12-31", Where: "nodetriage.yaml: exception 1"}
			}
		}
		return nil
	}
}

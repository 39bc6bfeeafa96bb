package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/report"
)

// The list of agents' archives is short on one screen, and complete in the wide form.
func TestSavedOnOneScreen(t *testing.T) {
	d := &drain.Plan{Verdict: plan.Clear}
	for n := range 5 {
		for k := range 3 {
			at := time.Date(2026, 11, 27-k, 17, 30, 0, 0, time.UTC)
			d.Saved = append(d.Saved, plan.Saved{Node: fmt.Sprintf("w%d", n), File: "f", At: at, Why: "\x1b[2Jfull", Path: fmt.Sprintf("/s/w%d-%d", n, k)})
		}
	}
	var screen, wide bytes.Buffer
	if err := report.Drain(&screen, d, report.Style{Width: 80}); err != nil {
		t.Fatal(err)
	}
	if err := report.Drain(&wide, d, report.Style{Width: 80, Wide: true}); err != nil {
		t.Fatal(err)
	}
	if got := screen.String(); strings.Count(got, "agent  ") != 3 || !strings.Contains(strings.Join(strings.Fields(got), " "), "full), and 2 more; it is") || !strings.Contains(got, "... 2 more of agents (-o wide)") || strings.Contains(got, "\x1b") {
		t.Error(got)
	}
	if got := wide.String(); strings.Count(got, "agent  ") != 15 || strings.Contains(got, "more") {
		t.Error(got)
	}
}

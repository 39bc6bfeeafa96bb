package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/triage"
)

// The screen shows the first three differences, pages show more. The cohort of the same node, which has less detail, is
// omitted.
func TestApart(t *testing.T) {
	at := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	since := at.Add(-time.Hour)
	r := &triage.Report{Verdict: triage.Broken, TakenAt: &at, Cohorts: []triage.Cohort{{Nodes: []string{"w-3"}, Shared: map[string]string{"label canary": "yes"}}}}
	a := triage.Apart{Node: "w-3", Peers: []string{"w-1", "w-2"}}
	for i := range 25 {
		a.Differences = append(a.Differences, triage.Difference{Area: "units", What: fmt.Sprintf("/etc/unit-%02d.conf <b>", i), Here: "8M", There: "none", Since: &since})
	}
	a.Differences[24].Follows, a.Differences[24].Since = true, nil
	r.Apart = []triage.Apart{a}
	write := func(style report.Style) string {
		var out bytes.Buffer
		if err := report.Text(&out, r, style); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	screen := write(report.Style{Width: 100})
	for _, want := range []string{"Differences between w-3 and 2 healthy peers (w-1, w-2)\n", "/etc/unit-02.conf <b>: 8M, on healthy peers none; since 09:00:00Z\n", "... 22 more differences (-o wide)"} {
		if !strings.Contains(screen, want) {
			t.Errorf("the screen lacks %q:\n%s", want, screen)
		}
	}
	if strings.Contains(screen, "unit-03") || strings.Contains(screen, "canary") {
		t.Errorf("the screen says too much:\n%s", screen)
	}
	if wide := write(report.Style{Width: 100, Wide: true}); !strings.Contains(wide, "unit-24.conf <b>: 8M, on healthy peers none; may be a consequence\n") {
		t.Errorf("the wide form lacks the last:\n%s", wide)
	}
	var page, ticket bytes.Buffer
	if err := report.HTML(&page, report.Incident{Report: r, Snapshot: evidence.New(evidence.Data{}), Version: "v0"}); err != nil {
		t.Fatal(err)
	}
	if err := report.Markdown(&ticket, r); err != nil {
		t.Fatal(err)
	}
	for form, text := range map[string]string{"html": page.String(), "markdown": ticket.String()} {
		if !strings.Contains(text, "unit-19.conf") || strings.Contains(text, "unit-20.conf") || !strings.Contains(text, "and 5 more") || strings.Contains(text, "<b>") || strings.Contains(text, "canary") {
			t.Errorf("%s:\n%s", form, text)
		}
	}
}

package timeline_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/answers/timeline"
	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/evidence"
)

// Each case is evidence.yaml and the expected timeline. The comment above describes it.
func TestCases(t *testing.T) {
	casetest.Run(t, "testdata/*.txtar", func(t *testing.T, c *casetest.Case) {
		var data evidence.Data
		c.YAML(t, "evidence.yaml", &data)
		s := evidence.New(data)
		for _, f := range c.Files("evidence.yaml") {
			node := strings.TrimSuffix(strings.TrimPrefix(f.Name, "timeline"), ".txt")
			c.Want(t, f.Name, write(timeline.New(s, nil, strings.TrimSpace(node))))
		}
	})
}

// write formats a timeline as text: a line per lane and mark.
func write(tl *timeline.Timeline) string {
	var b strings.Builder
	stamp := func(t time.Time) string { return t.UTC().Format("01-02 15:04:05") }
	fmt.Fprintf(&b, "%s to %s, %d lanes left out, %d earlier\n", stamp(tl.From), stamp(tl.To), tl.Left, tl.Earlier)
	for _, l := range tl.Lanes {
		fmt.Fprintf(&b, "%s node=%t left=%d\n", l.Name, l.Node, l.Left)
		for _, m := range l.Marks {
			fmt.Fprintf(&b, "  %s to %s %s open=%t before=%t bad=%t count=%d %s (%s)\n",
				stamp(m.From), stamp(m.To), m.Kind, m.Open, m.Before, m.Bad, m.Count, m.Text, m.Where)
		}
	}
	return b.String()
}

// A storm of events must not produce a page that is too large to open.
func TestBounds(t *testing.T) {
	at := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	data := evidence.Data{TakenAt: at}
	for i := range 2000 {
		for j := range 50 {
			when := at.Add(-time.Duration(j) * time.Second)
			data.Events = append(data.Events, &evidence.Event{
				Object: evidence.NodeSubject(fmt.Sprintf("node-%04d", i)), Type: "Warning", Reason: "R", First: when, Last: when,
			})
		}
	}
	tl := timeline.New(evidence.New(data), nil, "")
	marks := 0
	for _, l := range tl.Lanes {
		marks += len(l.Marks)
	}
	if len(tl.Lanes) > 30 || marks > 1000 || len(tl.Lanes)+tl.Left != 2000 {
		t.Errorf("%d lanes, %d marks, %d left out", len(tl.Lanes), marks, tl.Left)
	}
}

package timeline_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
	"sigs.k8s.io/yaml"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/timeline"
)

var update = flag.Bool("update", false, "rewrite what the cases want")

// Each case is evidence.yaml and the timeline that comes of it; the comment above says what it is about.
func TestCases(t *testing.T) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatal("no cases", err)
	}
	for _, path := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var data evidence.Data
			if err := yaml.UnmarshalStrict(archive.Files[0].Data, &data); err != nil {
				t.Fatal(err)
			}
			s := evidence.New(data)
			for i, f := range archive.Files[1:] {
				node := strings.TrimSuffix(strings.TrimPrefix(f.Name, "timeline"), ".txt")
				got := write(timeline.New(s, nil, strings.TrimSpace(node)))
				if *update {
					archive.Files[i+1].Data = []byte(got)
				} else if got != string(f.Data) {
					t.Errorf("%s: run with -update and look at the difference; got\n%s", f.Name, got)
				}
			}
			if *update {
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// write is a timeline as text: a line per lane and mark.
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

// A storm of events must not make a page that nobody can open.
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

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

func reportOf(at time.Time, answer string) *nodereport.Report {
	return &nodereport.Report{
		APIVersion: nodereport.APIVersion, Kind: nodereport.Kind, Node: "worker-3", TakenAt: at,
		Connections: []nodereport.Connection{{Peer: "api-server", Target: "https://10.0.0.1", Answer: answer}},
	}
}

// While the API server is unreachable, a report is saved every ten minutes, and the oldest are dropped.
func TestStore(t *testing.T) {
	s := store{filepath.Join(t.TempDir(), "reports")}
	var away time.Time
	start := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	keep := func(at time.Time, answer string) {
		r := reportOf(at, answer)
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if away, err = s.keep(data, r, away); err != nil {
			t.Fatal(err)
		}
	}
	keep(start, "ok")
	if got := names(t, s.dir); got != "report.json" {
		t.Errorf("while the API server answers there is %s", got)
	}
	for i := range 200 { // more than three hours
		keep(start.Add(time.Duration(i)*time.Minute), "timeout")
	}
	keep(start.Add(4*time.Hour), "ok")
	if got := names(t, s.dir); got != "away.json report.json" {
		t.Errorf("after the outage there is %s", got)
	}
	kept := awayReports(t, s.dir)
	if len(kept) != awayKept || !kept[0].TakenAt.Equal(start.Add(80*time.Minute)) || !kept[awayKept-1].TakenAt.Equal(start.Add(190*time.Minute)) {
		t.Errorf("of the outage there are %d reports", len(kept))
	}
	for _, r := range kept {
		if !r.Away || r.Connections[0].Answer != "timeout" {
			t.Errorf("kept: %+v", r)
		}
	}
	data, err := os.ReadFile(filepath.Join(s.dir, reportFile))
	if err != nil || !strings.Contains(string(data), "2026-03-01T04:00:00Z") || strings.Contains(string(data), "away") {
		t.Errorf("the report is not the newest: %s (%v)", data, err)
	}
}

// A restarted agent continues the file. Large reports drop more of the older ones.
func TestStoreIsBounded(t *testing.T) {
	dir := t.TempDir()
	start := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for i := range 6 {
		r := reportOf(start.Add(time.Duration(i)*time.Minute), "timeout")
		r.Connections[0].Message = strings.Repeat("x", awayBytes/3)
		if _, err := (store{dir}).keep(nil, r, time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	kept := awayReports(t, dir)
	if len(kept) != 2 || !kept[1].TakenAt.Equal(start.Add(5*time.Minute)) {
		t.Errorf("there are %d reports", len(kept))
	}
}

func awayReports(t *testing.T, dir string) []nodereport.Report {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, awayFile))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []nodereport.Report
	for d := json.NewDecoder(f); d.More(); {
		var r nodereport.Report
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return strings.Join(out, " ")
}

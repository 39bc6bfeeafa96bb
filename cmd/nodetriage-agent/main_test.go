package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/nodereport"
)

// The agent runs on every node, so it must stay small: the client of the API server and its types are larger than
// all that it does, and templates make the linker keep every method of every type. It is built as make agent does.
func TestLinksLittle(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	tags := regexp.MustCompile(`(?m)^AGENT_TAGS := (\S+)$`).FindSubmatch(makefile)
	if tags == nil {
		t.Fatal("the Makefile names no tags of the agent")
	}
	out, err := exec.Command("go", "list", "-tags", string(tags[1]), "-deps", ".").Output()
	if err != nil {
		t.Skipf("go list does not work here: %v", err)
	}
	for _, dep := range strings.Fields(string(out)) {
		for _, banned := range []string{"k8s.io/client-go", "k8s.io/api/", "k8s.io/apimachinery", "k8s.io/kubernetes", "text/template", "html/template"} {
			// How kubectl prints a duration: one file over the standard library.
			if strings.HasPrefix(dep, banned) && dep != "k8s.io/apimachinery/pkg/util/duration" {
				t.Errorf("it links %s", dep)
			}
		}
	}
}

// It tells its version, which is linked in as into nodetriage.
func TestVersion(t *testing.T) {
	program := filepath.Join(t.TempDir(), "agent")
	if out, err := exec.Command("go", "build", "-ldflags", "-X main.linked=v1.2.3", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("build: %v: %s", err, out)
	}
	out, err := exec.Command(program, "-version").Output()
	if err != nil || !strings.HasPrefix(string(out), "nodetriage-agent v1.2.3 go") {
		t.Errorf("-version prints %q, %v", out, err)
	}
}

func reportOf(at time.Time, answer string) *nodereport.Report {
	return &nodereport.Report{
		APIVersion: nodereport.APIVersion, Kind: nodereport.Kind, Node: "worker-3", TakenAt: at,
		Connections: []nodereport.Connection{{Peer: "api-server", Target: "https://10.0.0.1", Answer: answer}},
	}
}

// While the API server is away, a report is kept every ten minutes, and the oldest give way.
func TestStore(t *testing.T) {
	s := store{dir: filepath.Join(t.TempDir(), "reports")}
	start := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	keep := func(at time.Time, answer string) {
		r := reportOf(at, answer)
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.keep(data, r); err != nil {
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

// An agent that was restarted goes on with the file, and large reports push out more of the others.
func TestStoreIsBounded(t *testing.T) {
	dir := t.TempDir()
	start := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for i := range 6 {
		s := store{dir: dir}
		r := reportOf(start.Add(time.Duration(i)*time.Minute), "timeout")
		r.Connections[0].Message = strings.Repeat("x", awayBytes/3)
		if err := s.keep(nil, r); err != nil {
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

// A disk that takes nothing does not end the agent: the report is served, and the failure is counted.
func TestServesWithoutDisk(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	d := &daemon{
		look:  func(context.Context) *nodereport.Report { return reportOf(time.Now(), "ok") },
		store: store{dir: filepath.Join(file, "below")},
	}
	get := func(handler http.HandlerFunc) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		handler(w, httptest.NewRequest(http.MethodGet, "/", nil))
		return w
	}
	if w := get(d.report); w.Code != http.StatusServiceUnavailable {
		t.Errorf("before the first look it answers %d", w.Code)
	}
	d.once(t.Context())
	w := get(d.report)
	var r nodereport.Report
	if err := json.Unmarshal(w.Body.Bytes(), &r); err != nil || r.Node != "worker-3" || w.Header().Get("Age") != "0" {
		t.Errorf("it serves %s, age %q (%v)", w.Body, w.Header().Get("Age"), err)
	}
	if text := get(d.metrics).Body.String(); !strings.Contains(text, "nodetriage_agent_write_failures_total 1\n") || !strings.Contains(text, "nodetriage_agent_report_age_seconds 0.") {
		t.Errorf("figures:\n%s", text)
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{"-every", "1s"}, {"-since", "0s"}, {"extra"}, {"-no-such-flag"}} {
		if code := run(args); code != 2 {
			t.Errorf("%q ends with %d", args, code)
		}
	}
}

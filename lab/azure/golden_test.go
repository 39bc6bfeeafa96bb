package azure_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/lab/azure"
)

// program is the path of nodetriage, built once.
var program string

func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil { // these tests mostly wait
		panic(err)
	}
	dir, err := os.MkdirTemp("", "nodetriage-azure-")
	if err != nil {
		panic(err)
	}
	if program, err = build(dir); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// report contains the fields of a Report that the tests check.
type report struct {
	Verdict  string
	Findings []struct {
		Cause, Summary, Certainty, ExplainedBy string
		Evidence                               []struct{ Source, Locator, Text string }
		Remedies                               []struct {
			Title    string
			Commands []string
		}
	}
	NotChecked []struct{ What, Why, How string }
}

func diagnose(t *testing.T, args ...string) report {
	t.Helper()
	cmd := exec.Command(program, append([]string{"diagnose", "-o", "json"}, args...)...)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "KUBECONFIG=")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || len(out.Bytes()) == 0 {
		t.Fatalf("diagnose: %v: %s", err, errs.String())
	}
	var r report
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatalf("read the report: %v", err)
	}
	return r
}

// The same truth is found first, with the error code of Azure: live, in a bundle, and in saved az output of the same
// state. Neither diagnosis nor collection changes anything.
func TestGolden(t *testing.T) {
	names, err := azure.Names()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now := time.Now()
			s, err := azure.Load(name, now)
			if err != nil {
				t.Fatal(err)
			}
			t.Run("live", func(t *testing.T) {
				e := azure.Start(&s.State)
				defer e.Close()
				kubeconfig, changed := kubernetes(t, s.Cluster(now))
				from := []string{"--kubeconfig", kubeconfig, "--azure-endpoint", e.URL}
				live := diagnose(t, from...)
				judge(t, s, live)
				audit(t, e.Audit(), *changed)
				asked := len(e.Audit())
				saved := diagnose(t, bundle(t, from...))
				audit(t, e.Audit()[asked:], *changed)
				judge(t, s, saved)
				if got, want := causes(saved), causes(live); !slices.Equal(got, want) {
					t.Errorf("the bundle gives %q, the cluster %q", got, want)
				}
			})
			t.Run("offline", func(t *testing.T) {
				dir := t.TempDir()
				saved := s.Saved()
				objects, err := json.MarshalIndent(map[string]any{"kind": "List", "apiVersion": "v1", "items": s.Cluster(now)}, "", "  ")
				if err != nil {
					t.Fatal(err)
				}
				saved["kubectl-get.json"] = objects
				for file, data := range saved {
					if err := os.WriteFile(filepath.Join(dir, file), data, 0o600); err != nil {
						t.Fatal(err)
					}
				}
				judge(t, s, diagnose(t, dir, "--at", now.UTC().Format(time.RFC3339)))
			})
		})
	}
}

// bundle collects a bundle with the flags and returns its file.
func bundle(t *testing.T, flags ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "bundle.tar.gz")
	collect := exec.Command(program, append([]string{"collect", "-o", file}, flags...)...)
	collect.Env = append(os.Environ(), "HOME="+t.TempDir(), "KUBECONFIG=")
	if out, err := collect.CombinedOutput(); err != nil {
		t.Fatalf("collect: %v: %s", err, out)
	}
	return file
}

// causes returns the causes that were found, in order.
func causes(r report) []string {
	var out []string
	for _, f := range r.Findings {
		out = append(out, f.Cause+" "+f.Certainty)
	}
	return out
}

func judge(t *testing.T, s *azure.Scenario, r report) {
	t.Helper()
	var found []string
	for _, f := range r.Findings {
		found = append(found, f.Cause+" ("+f.Certainty+": "+f.Summary+")")
	}
	list := strings.Join(found, "\n  ")
	for _, never := range s.Never {
		if strings.Contains(list, never+" (") {
			t.Errorf("found %s:\n  %s", never, list)
		}
	}
	switch {
	case s.Truth == "" && len(r.Findings) > 0:
		t.Errorf("something was found:\n  %s", list)
	case s.Truth != "" && (len(r.Findings) == 0 || r.Findings[0].Cause != s.Truth):
		t.Errorf("first is not %s:\n  %s\nnot checked: %v", s.Truth, list, r.NotChecked)
	case s.Truth != "":
		var proof, remedies []string
		for _, e := range r.Findings[0].Evidence {
			proof = append(proof, e.Source+" "+e.Locator+" "+e.Text)
		}
		for _, m := range r.Findings[0].Remedies {
			remedies = append(remedies, m.Title+": "+strings.Join(m.Commands, "; "))
		}
		if !strings.Contains(strings.Join(proof, "\n"), s.Quote) {
			t.Errorf("no evidence holds %q:\n  %s", s.Quote, strings.Join(proof, "\n  "))
		}
		if s.Remedy == "" || !strings.Contains(strings.Join(remedies, "\n"), s.Remedy) {
			t.Errorf("no remedy holds %q:\n  %s", s.Remedy, strings.Join(remedies, "\n  "))
		}
	}
}

const mostReads = 29 // of one diagnosis

// question reports whether a POST only reads.
func question(path string) bool {
	return strings.HasSuffix(strings.ToLower(path), "/policystates/latest/queryresults")
}

func audit(t *testing.T, requests []azure.Request, changed []string) {
	t.Helper()
	if len(changed) > 0 {
		t.Errorf("the cluster was asked to change: %q", changed)
	}
	for _, r := range requests {
		if r.Method != http.MethodGet && !question(r.Path) || strings.Contains(r.Path, "*") {
			t.Errorf("a read-only command sent %s %s", r.Method, r.Path)
		}
	}
	if len(requests) == 0 || len(requests) > mostReads {
		t.Errorf("%d requests", len(requests))
	}
	if !slices.ContainsFunc(requests, func(r azure.Request) bool { return strings.Contains(r.Path, "/agentPools") }) {
		t.Error("the pools were not asked for")
	}
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

// completions returns what the shell gets.
func completions(t *testing.T, args ...string) []string {
	t.Helper()
	var out bytes.Buffer
	root := newRoot()
	root.SetOut(&out)
	root.SetErr(&bytes.Buffer{})
	root.SetArgs(append([]string{"__completeNoDesc"}, args...))
	if err := root.ExecuteContext(context.Background()); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	return lines[:len(lines)-1] // the last line is a directive for the shell
}

// Names come from the cluster, by metadata alone.
func TestCompleteNames(t *testing.T) {
	defer func(usual time.Duration) { completionTime = usual }(completionTime)
	completionTime = time.Minute // the speed of a busy machine does not matter here
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.Header.Get("Accept"), "as=PartialObjectMetadataList") {
			t.Errorf("asked for whole objects: %s", r.Header.Get("Accept"))
		}
		var items []any
		add := func(name string, labels map[string]string) {
			items = append(items, map[string]any{"metadata": map[string]any{"name": name, "labels": labels}})
		}
		switch r.URL.Path {
		case "/api/v1/nodes":
			add("worker-1", map[string]string{"agentpool": "blue"})
			add("worker-2", map[string]string{"agentpool": "blue"})
			add("other-1", map[string]string{"agentpool": "green"})
		case "/api/v1/namespaces/shop/pods":
			add("web-a", nil)
		case "/api/v1/namespaces":
			add("shop", nil)
		default:
			t.Errorf("asked for %s", r.URL.Path)
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"kind": "PartialObjectMetadataList", "apiVersion": "meta.k8s.io/v1", "metadata": map[string]any{}, "items": items})
	}))
	defer server.Close()
	here := []string{"--server", server.URL}
	for _, c := range []struct {
		typed []string
		want  string
	}{
		{[]string{"drain", "wor"}, "worker-1 worker-2"},
		{[]string{"drain", "worker-1", "wor"}, "worker-2"}, // not again
		{[]string{"diagnose", "node/o"}, "node/other-1"},
		{[]string{"diagnose", "no/o"}, "no/other-1"},
		{[]string{"drain", "node", "o"}, "other-1"},
		{[]string{"repair", "restart", "o"}, "other-1"},
		{[]string{"repair", "scale-pool", "g"}, "green"},
		{[]string{"repair", "reconcile", ""}, "blue cluster green"},
		{[]string{"why", "-n", "shop", "po/w"}, "po/web-a"},
		{[]string{"upgrade", ""}, "blue green"},
		{[]string{"diagnose", "--pool", "g"}, "green"},
		{[]string{"why", "-n", "shop", ""}, "web-a"},
		{[]string{"pods", "-n", "s"}, "shop"},
	} {
		args := append([]string{c.typed[0]}, append(here, c.typed[1:]...)...)
		if got := strings.Join(completions(t, args...), " "); got != c.want {
			t.Errorf("%v: %q, want %q", c.typed, got, c.want)
		}
	}
}

// An unreachable cluster, or none, prints nothing.
func TestCompleteQuiet(t *testing.T) {
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer silent.Close()
	t.Setenv("KUBECONFIG", t.TempDir()+"/none")
	for _, where := range [][]string{{"--server", silent.URL}, nil} {
		if got := completions(t, append(append([]string{"drain"}, where...), "wor")...); len(got) > 0 {
			t.Errorf("%v: %v", where, got)
		}
	}
}

// Completions that need no cluster.
func TestCompleteWords(t *testing.T) {
	for _, c := range []struct {
		typed []string
		want  string
	}{
		{[]string{"explain", "runtime-h"}, "runtime-hung"},
		{[]string{"explain", "pleg"}, "pleg-unhealthy"},
		{[]string{"diagnose", "--example=run"}, "runtime-hang"},
		{[]string{"diagnose", "--cause", "swap"}, "swap-enabled"},
		{[]string{"diagnose", "-o", "s"}, "sarif"},
		{[]string{"diagnose", "-o", "jsonp"}, "jsonpath="},
		{[]string{"drain", "-o", "m"}, "markdown"},
		{[]string{"predict", "n", "--event", "power"}, "power-off"},
		{[]string{"drain", "n", "--accept", "local-d"}, "local-data"},
		{[]string{"repair", "reim"}, "reimage"},
		{[]string{"help", "dra"}, "drain"},
		{[]string{"diagnose", "--color", "a"}, "always auto"},
		{[]string{"drain", "n", "--dry-run", "s"}, "server"},
		{[]string{"diagnose", "--trace=swap"}, "swap-enabled"},
		{[]string{"bud"}, "budgets"},
		{[]string{"pd"}, "pdbs pdb"},
		{[]string{"poddis"}, "poddisruptionbudgets poddisruptionbudget"},
		{[]string{"ds"}, "ds"},
		{[]string{"po"}, "pools pods"}, // no alias where a name fits
		{[]string{"pdb", "-o", "js"}, "json jsonpath="},
	} {
		if got := strings.Join(completions(t, c.typed...), " "); got != c.want {
			t.Errorf("%v: %q, want %q", c.typed, got, c.want)
		}
	}
}

// Descriptions of flags are plain text.
func TestCompleteDescriptions(t *testing.T) {
	for _, cmd := range below(newRoot()) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if strings.Contains(f.Usage, "`") {
				t.Errorf("%s --%s: %s", cmd.CommandPath(), f.Name, f.Usage)
			}
		})
	}
}

// As a plugin the program uses the name of kubectl in every command that it prints.
func TestPluginName(t *testing.T) {
	for text, want := range map[string]string{
		"nodetriage diagnose":                             "kubectl nodetriage diagnose",
		"one node: nodetriage nodes NODE":                 "one node: kubectl nodetriage nodes NODE",
		"kubectl nodetriage diagnose":                     "kubectl nodetriage diagnose",
		"/usr/bin/nodetriage diagnose":                    "/usr/bin/nodetriage diagnose",
		"nodetriage.dev/ignore":                           "nodetriage.dev/ignore",
		"systemctl status nodetriage-agent":               "systemctl status nodetriage-agent",
		"(nodetriage drain w --plan) or nodetriage check": "(kubectl nodetriage drain w --plan) or kubectl nodetriage check",
	} {
		if got := asPlugin(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := arguments([]string{"/bin/kubectl_complete-nodetriage", "drain", "w"}); strings.Join(got, " ") != "__complete drain w" {
		t.Errorf("completions are asked for by %v", got)
	}
}

package cases_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/cases"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
)

// A case is an archive, or a folder. The error for anything else names its path.
func TestFind(t *testing.T) {
	write := func(root, name, text string) {
		t.Helper()
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	good := t.TempDir()
	write(good, "disk-full/one.txtar", "About it.\n-- truth.yaml --\nclass: disk-full\nnot: [memory-pressure]\n-- evidence/kubelet.log --\nfull\n")
	write(good, "folder/truth.yaml", "class: none\nfaults: 1\n")
	write(good, "folder/evidence/nodes.txt", "NAME STATUS\n")
	write(good, "readme.md", "no case")
	list, err := cases.Find(good)
	if err != nil || len(list) != 2 {
		t.Fatalf("%v, %v", list, err)
	}
	if c := list[0]; c.Truth.Class != "disk-full" || c.Name != filepath.Join(good, "disk-full/one.txtar") {
		t.Errorf("%+v", c)
	} else if text, err := fs.ReadFile(c.Evidence, "kubelet.log"); err != nil || string(text) != "full\n" {
		t.Errorf("%q, %v", text, err)
	}
	if c := list[1]; c.Truth.Class != cases.None || c.Truth.Faults != 1 {
		t.Errorf("%+v", c)
	}
	for text, want := range map[string]string{
		"-- evidence/a --\n":                                   "truth.yaml",
		"-- truth.yaml --\nkind: x\n-- evidence/a --\n":        `"kind"`,
		"-- truth.yaml --\nnote: x\n-- evidence/a --\n":        "class is missing",
		"-- truth.yaml --\nclass: disk-full\n":                 "no evidence folder",
		"-- truth.yaml --\nclass: a\n-- evidence/../../a --\n": "bad",
	} {
		bad := t.TempDir()
		write(bad, "bad.txtar", text)
		if _, err := cases.Find(bad); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "bad.txtar") {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if _, err := cases.Find(filepath.Join(good, "gone")); err == nil {
		t.Error("cases are found in a folder that is not there")
	}
}

// A report is right if it names the cause first, nothing that is ruled out, and what the case asks of it.
func TestJudge(t *testing.T) {
	found := func(causes ...string) *triage.Report {
		r := &triage.Report{Verdict: triage.Broken}
		for _, c := range causes {
			r.Findings = append(r.Findings, triage.Finding{Cause: c, Certainty: triage.Certain, Severity: catalog.Critical})
			r.Groups = append(r.Groups, triage.Group{Cause: c, Findings: []string{c}})
		}
		return r
	}
	asks := &triage.Report{NotChecked: []triage.NotChecked{{What: "the disk", How: "df -h"}}}
	over := &triage.Report{Over: []triage.Over{{Cause: "disk-full"}}}
	symptom := found("disk-full")
	symptom.Symptoms = []triage.Symptom{{ID: "node-not-ready"}}
	symptom.Groups[0].Symptoms = []string{"node-not-ready"}
	explained := found("disk-full")
	explained.Symptoms = []triage.Symptom{{ID: "node-not-ready", ExplainedBy: "disk-full"}}
	explained.Groups[0].Symptoms = []string{"node-not-ready"}
	contradicts := found("disk-full")
	contradicts.Verdict = triage.Healthy
	remedied := found("disk-full")
	remedied.Findings[0].Remedies = []catalog.Remedy{
		{Title: "free space", Commands: []shell.Text{"crictl rmi --prune"}}, {Title: "look"}, {Title: "grow the disk", Commands: []shell.Text{"az disk update"}},
	}
	for _, c := range []struct {
		name   string
		truth  cases.Truth
		report *triage.Report
		want   string
	}{
		{"right", cases.Truth{Class: "disk-full"}, found("disk-full"), ""},
		{"another first", cases.Truth{Class: "disk-full"}, found("memory-pressure", "disk-full"), "first is memory-pressure, want disk-full"},
		{"a wider one will do", cases.Truth{Class: "disk-full", Secondary: []string{"kubelet-stopped"}}, found("kubelet-stopped"), ""},
		{"of what was recorded a wider one must ask", cases.Truth{Class: "disk-full", Secondary: []string{"kubelet-stopped"}, Provenance: "recorded", Need: "df"}, found("kubelet-stopped"), "first is kubelet-stopped, want disk-full"},
		{"of what was recorded nothing will do that asks", cases.Truth{Class: "disk-full", Provenance: "recorded", Need: "df"}, asks, ""},
		{"nothing", cases.Truth{Class: "disk-full"}, found(), "first is nothing, want disk-full"},
		{"nothing is wrong", cases.Truth{Class: cases.None}, found(), ""},
		{"something where nothing is wrong", cases.Truth{Class: cases.None}, found("disk-full"), "found disk-full where nothing is wrong"},
		{"not enough to tell", cases.Truth{Class: cases.Unknown}, found("disk-full"), "named disk-full where the evidence is not enough"},
		{"over", cases.Truth{Class: "no-fault-transient", Secondary: []string{"disk-full"}}, over, ""},
		{"ruled out", cases.Truth{Class: "disk-full", Not: []string{"memory-pressure"}}, found("disk-full", "memory-pressure"), "must not find memory-pressure"},
		{"a symptom that is ruled out", cases.Truth{Class: "disk-full", Not: []string{"node-not-ready"}}, symptom, "must not show node-not-ready"},
		{"a symptom that is explained", cases.Truth{Class: "disk-full", Not: []string{"node-not-ready"}}, explained, ""},
		{"faults", cases.Truth{Class: "disk-full", Faults: 2}, found("disk-full"), "counts 1 independent faults, want 2"},
		{"verdict", cases.Truth{Class: "disk-full", Verdict: triage.Warn}, found("disk-full"), "the verdict is broken, want warning"},
		{"a report that contradicts itself", cases.Truth{Class: "disk-full"}, contradicts, "the verdict is healthy, but disk-full was found"},
		{"a remedy that is shown", cases.Truth{Class: "disk-full", Remedies: []string{"--prune"}}, remedied, ""},
		{"a remedy that is not shown", cases.Truth{Class: "disk-full", Remedies: []string{"az disk"}}, remedied, "the first remedies do not have az disk"},
		{"a remedy that must not be", cases.Truth{Class: "disk-full", NoRemedy: []string{"az disk"}}, remedied, "a remedy or check has az disk"},
	} {
		if got := (cases.Case{Truth: c.truth}).Judge(c.report); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A case with a misspelt id could not fail, so it is an error.
func TestUnknownID(t *testing.T) {
	known := func(id string) bool { return id == "disk-full" || id == "memory-pressure" }
	for _, c := range []struct {
		truth cases.Truth
		want  string
	}{
		{cases.Truth{Class: "disk-full", Not: []string{"memory-pressure"}}, ""},
		{cases.Truth{Class: cases.None}, ""},
		{cases.Truth{Class: "disc-full"}, "disc-full"},
		{cases.Truth{Class: "disk-full", Secondary: []string{"memory"}}, "memory"},
		{cases.Truth{Class: cases.Other, Not: []string{"memory-presure"}}, "memory-presure"},
	} {
		if got := c.truth.UnknownID(known); got != c.want {
			t.Errorf("%+v: %q, want %q", c.truth, got, c.want)
		}
	}
}

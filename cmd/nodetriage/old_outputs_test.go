package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The output of a program of format 1 for one cluster of the lab: its bundle, the report of its broken node, and the result of
// each command for both. It never changes; see docs/stability.md.
const oldOutputs = "testdata/stability/format-1"

// oldCommands are the commands with a recorded result, by the name of its file.
var oldCommands = map[string][]string{
	"diagnose":        {"diagnose", "-f", "bundle.tar.gz", "-f", "node-report.json"},
	"nodes":           {"nodes", "-f", "bundle.tar.gz"},
	"node":            {"nodes", "real-5", "-f", "bundle.tar.gz", "-f", "node-report.json"},
	"pools":           {"pools", "-f", "bundle.tar.gz"},
	"pods":            {"pods", "-f", "bundle.tar.gz"},
	"budgets":         {"budgets", "-f", "bundle.tar.gz"},
	"daemonsets":      {"daemonsets", "-f", "bundle.tar.gz"},
	"why":             {"why", "huge", "-n", "shop", "-f", "bundle.tar.gz"},
	"why-running":     {"why", "db-0", "-n", "shop", "-f", "bundle.tar.gz"},
	"predict":         {"predict", "real-5", "-f", "bundle.tar.gz"},
	"check":           {"check", "-f", "bundle.tar.gz"},
	"drain":           {"drain", "hollow-1", "--plan", "-f", "bundle.tar.gz"},
	"drain-blocked":   {"drain", "real-5", "--plan", "-f", "bundle.tar.gz"},
	"upgrade":         {"upgrade", "pool1", "--plan", "-f", "bundle.tar.gz"},
	"diff":            {"diff", "diagnose-bundle.json", "diagnose.json"},
	"diagnose-bundle": {"diagnose", "-f", "bundle.tar.gz"},
}

// saidOfOld runs a command in the folder of the old outputs and returns its JSON.
func saidOfOld(t *testing.T, args []string) []byte {
	t.Helper()
	t.Chdir(oldOutputs)
	var out, stderr bytes.Buffer
	root := newRoot()
	root.SetArgs(append(slices.Clone(args), "-o", "json"))
	root.SetOut(&out)
	root.SetErr(&stderr)
	_ = root.Execute() // exit codes are errors here; the result is what counts
	if !json.Valid(out.Bytes()) {
		t.Fatalf("nodetriage %s: %.300s %.300s", strings.Join(args, " "), &out, &stderr)
	}
	return out.Bytes()
}

// Bundles and reports of nodes stay readable forever, and their results keep every field. A field may be empty in one of several
// runs with the same kind of result, which is the first word of their names.
func TestOldOutputs(t *testing.T) {
	kind := func(name string) string {
		first, _, _ := strings.Cut(name, "-")
		return first
	}
	now := map[string]map[string]string{}
	for name, args := range oldCommands {
		t.Run(name, func(t *testing.T) {
			if now[kind(name)] == nil {
				now[kind(name)] = map[string]string{}
			}
			maps.Copy(now[kind(name)], fieldsOf(t, saidOfOld(t, args)))
		})
	}
	for name := range oldCommands {
		recorded, err := os.ReadFile(filepath.Join(oldOutputs, name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		for path, was := range fieldsOf(t, recorded) {
			switch got := now[kind(name)][path]; {
			case got == "":
				t.Errorf("%s: field %s is gone", name, path)
			case got != was:
				t.Errorf("%s: field %s was %s and is %s", name, path, was, got)
			}
		}
	}
}

// The recorded bundle and report give the same cause as before.
func TestOldEvidence(t *testing.T) {
	for _, name := range []string{"diagnose", "diagnose-bundle"} {
		t.Run(name, func(t *testing.T) {
			var report struct {
				Verdict  string
				Findings []struct{ Cause string }
			}
			if err := json.Unmarshal(saidOfOld(t, oldCommands[name]), &report); err != nil {
				t.Fatal(err)
			}
			if report.Verdict != "broken" || len(report.Findings) == 0 || report.Findings[0].Cause != "runtime-hung" {
				t.Errorf("%+v, want runtime-hung", report)
			}
		})
	}
}

// A command or a flag of a release stays, or is deprecated for two minor versions.
func TestCommandsStay(t *testing.T) {
	recorded, err := os.ReadFile(filepath.Join(oldOutputs, "commands.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var now []string
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		path := strings.TrimSpace(strings.TrimPrefix(c.CommandPath(), "nodetriage"))
		if path != "" {
			now = append(now, path)
		}
		c.InheritedFlags() // adds those of the commands above
		c.Flags().VisitAll(func(f *pflag.Flag) { now = append(now, strings.TrimSpace(path+" --"+f.Name)) })
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newRoot())
	for line := range strings.Lines(string(recorded)) {
		if line = strings.TrimSpace(line); !slices.Contains(now, line) {
			t.Errorf("nodetriage %s is gone", line)
		}
	}
}

//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/nodetriage/nodetriage/knowledge/shell/shelltest"
	"github.com/nodetriage/nodetriage/report"
)

// For any names in a cluster, a printed command runs only the named program, and passes a name unchanged or not at all.
func TestPastedCommandsRunNothingElse(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts shells")
	}
	if os.Getenv(inChild) == "" {
		apart(t)
		return
	}
	texts := map[string][]string{} // each with the names in it
	forms := map[string]int{}
	names := ofToday(shelltest.Names, 6)
	for i, name := range names {
		for _, c := range hostileInputs(t, name) {
			for form, written := range c.forms(t, i == 0) {
				for _, text := range pasteable(t, form, written) {
					forms[form]++
					if !slices.Contains(texts[text], name) {
						texts[text] = append(texts[text], c.names...)
					}
				}
			}
		}
	}
	for _, form := range allForms {
		if forms[form] < len(names) {
			t.Errorf("%d commands in the form %q, which cannot be all", forms[form], form)
		}
	}
	if len(texts) < 3*len(names) {
		t.Errorf("%d texts, which cannot be all", len(texts))
	}
	for _, shell := range shelltest.Shells() {
		t.Run(filepath.Base(shell), func(t *testing.T) {
			t.Parallel()
			room, err := shelltest.NewRoom(t.TempDir(), shell)
			if err != nil {
				t.Fatal(err)
			}
			for text, names := range texts {
				for _, did := range room.Paste(text, names) {
					t.Errorf("%s: %q", did, text)
				}
			}
		})
	}
	t.Logf("%d names, %d texts, %v", len(names), len(texts), forms)
}

// inChild is set in the process that apart starts.
const inChild = "NODETRIAGE_TEST_APART"

// apart runs this test in a separate process, because cobra keeps the flags of every root for the life of a process, and other
// tests measure memory.
func apart(t *testing.T) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	child.Env = append(os.Environ(), inChild+"=1")
	if said, err := child.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
}

// hostileInput is a command line for evidence in which all names are the same.
type hostileInput struct {
	args  []string
	more  []string // forms in addition to text, JSON and YAML
	names []string // names as they may arrive
}

var (
	inPages  = []string{"markdown", "html"}
	allForms = append([]string{"", "json", "yaml"}, writersOf(reportForms)...)
)

// writersOf returns the output formats of a kind of result that have a writer of their own.
func writersOf[T any](f forms[T]) (out []string) {
	for _, m := range f.more {
		out = append(out, m.name)
	}
	return out
}

// onlyData skips the forms that do not separate evidence and advice.
const onlyData = "only data"

// hostileInputs are command lines for a cluster, a report of a node and a pasted text in which everything has this name.
func hostileInputs(t *testing.T, name string) []hostileInput {
	t.Helper()
	dir := t.TempDir()
	save := func(file string, data []byte) string {
		path := filepath.Join(dir, file)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	cluster := save("cluster.json", testJSON(t, "testdata/paste/cluster.json", func(_, s string) string { return strings.ReplaceAll(s, "NAME", name) }))
	machine := save("report.json", testJSON(t, "testdata/stability/format-1/node-report.json", func(key, s string) string {
		if slices.Contains(reportNames, key) {
			return name
		}
		return s
	}))
	pasted := save("pasted.txt", bytes.ReplaceAll(testFile(t, "testdata/paste/pasted.txt"), []byte("NAME"), []byte(name)))
	// The parts of a path-like name, what a screen shows, and what the evidence reader keeps.
	one := append(strings.Split(name, "/"), name, report.Clean(name), strings.Join(strings.FieldsFunc(name, unicode.IsControl), " "))
	checked := append(slices.Clone(inPages), "junit", "sarif")
	out := []hostileInput{
		{[]string{"diagnose", cluster}, checked, one},
		{[]string{"diagnose", machine}, checked, one},
		// In a text any word may be a name. The quotes in other forms are the text itself.
		{[]string{"diagnose", pasted}, []string{onlyData}, append(strings.Fields(name), shelltest.Mark)},
		{[]string{"check", "-f", cluster}, checked, one},
		{[]string{"verify", "-f", cluster, "--report", machine, "--", name}, inPages, one},
	}
	for _, args := range [][]string{
		{"drain", "--plan"}, {"upgrade", "--plan"}, {"predict", "--event", "power-off"}, {"verify"}, {"nodes"}, {"why", "-n", name},
	} {
		subject := name
		if args[0] == "why" {
			subject = "pod/" + name
		}
		out = append(out, hostileInput{slices.Concat(args, []string{"-f", cluster, "--", subject}), inPages, one})
	}
	for _, list := range []string{"nodes", "pods", "budgets", "pools"} {
		out = append(out, hostileInput{[]string{list, "-f", cluster}, nil, one})
	}
	return out
}

// reportNames are the fields of a node report with names that people choose.
var reportNames = strings.Fields("node hostname device mount holds path name configDir configs file bridge what how why note message target endpoint subject issuer by peer command config kubeconfig binDir destination system")

// forms returns the command's output, by form.
func (c hostileInput) forms(t *testing.T, must bool) map[string]string {
	t.Helper()
	out := map[string]string{}
	forms := append([]string{"json", "yaml", ""}, c.more...)
	if slices.Contains(c.more, onlyData) {
		forms = forms[:2]
	}
	for _, form := range forms {
		args := slices.Clone(c.args)
		if form != "" {
			args = slices.Insert(args, 1, "-o", form)
		}
		var said, stderr bytes.Buffer
		root := newRoot()
		root.SetArgs(args)
		root.SetOut(&said)
		root.SetErr(&stderr)
		err := root.Execute() // the output counts, not the exit code
		if err != nil {
			stderr.WriteString(err.Error())
		}
		if must && said.Len() == 0 {
			t.Errorf("%q says nothing: %v", args, err)
		}
		out[form], out["stderr"] = said.String(), out["stderr"]+stderr.String()
	}
	return out
}

// testJSON returns a JSON file with all its strings and names changed.
func testJSON(t *testing.T, path string, change func(key, s string) string) []byte {
	t.Helper()
	var tree any
	if err := json.Unmarshal(testFile(t, path), &tree); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(changedAll(tree, "", change))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func changedAll(v any, key string, change func(key, s string) string) any {
	switch v := v.(type) {
	case string:
		return change(key, v)
	case []any:
		for i := range v {
			v[i] = changedAll(v[i], key, change)
		}
	case map[string]any:
		out := map[string]any{}
		for k, e := range v {
			out[change("", k)] = changedAll(e, k, change)
		}
		return out
	}
	return v
}

func testFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.FromSlash(path))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

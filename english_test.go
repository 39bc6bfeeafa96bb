package nodetriage_test

import (
	"bytes"
	"flag"
	"fmt"
	"go/scanner"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// privateWords are words and phrases that only this project uses, or that need a noun to mean anything. The words of
// kubectl and of the Kubernetes documentation replace them.
var privateWords = regexp.MustCompile(`(?i)\b(nobody|somebody|who ?ever|whatever|anew|besides|for ever|in vain|put right|at work|` +
	`ailing|of its own|heard of|of which|is told|are told|is so|are so|it tells|that tells|tells (that|whether|what|how|why|when|which)|` +
	`cure|cures|twin|twins|stand-ins?|bears|lacks|in its place|in their place|` +
	`that which|told as|any more|under way|is not known|goes on|look next at|at the worst|took a call)\b`)

// literal are texts with such a word that cannot be changed, by file: the text, and the reason.
var literal = map[string]map[string]string{
	"answers/nodes/node.go":          {`"ailing"`: "a state in JSON, see docs/stability.md"},
	"report/draw_map.go":             {`id="ailing"`: "the state in JSON names its shape"},
	"cloud/change.go":                {`json:"lacks,omitempty"`: "a field in JSON, see docs/stability.md"},
	"evidence/nodereport/report.go":  {`json:"lacks,omitempty"`: "a field of node reports, see docs/stability.md"},
	"triage/apart.go":                {`json:"twins"`: "a field in JSON, see docs/stability.md"},
	"knowledge/catalog/platforms.go": {`json:"lacks"`: "a field of knowledge archives, see docs/stability.md"},
	"docs/knowledge.md":              {"(`lacks`)": "a field of knowledge archives, see docs/stability.md"},
	"docs/repair.md":                 {"command, lacks}": "a field in JSON, see docs/stability.md", "lacks: parts": "a field in JSON, see docs/stability.md"},
	"docs/permissions.md":            {"run as user nobody": "the name of a Linux user"},
	"lab/cmd/peers/changes.go":       {"User=nobody": "the name of a Linux user", "the kubelet as nobody": "the name of a Linux user"},
}

var updateEnglish = flag.Bool("update-english", false, "write testdata/english.txt; no number may rise")

// Private words may only become fewer: testdata/english.txt has how many each folder has, in comments and in strings of Go and
// in pages that people write.
func TestEnglish(t *testing.T) {
	is := countPrivateWords(t)
	const file = "testdata/english.txt"
	text, err := os.ReadFile(file)
	if err != nil && !*updateEnglish {
		t.Fatal(err)
	}
	allowed := map[string]int{}
	for line := range strings.Lines(string(text)) {
		var where string
		var n int
		if _, err := fmt.Sscan(line, &where, &n); err == nil {
			allowed[where] = n
		}
	}
	var list strings.Builder
	list.WriteString("# Private words by folder and kind of text. Written by: go test . -run English -update-english. Numbers only fall.\n")
	for _, where := range sortedKeys(is) {
		fmt.Fprintf(&list, "%s %d\n", where, len(is[where]))
		before, known := allowed[where]
		if (known || err == nil) && len(is[where]) > before {
			t.Errorf("%s: %d private words, %d allowed; say it as the Kubernetes documentation does:\n  %s", where, len(is[where]), before, strings.Join(last(is[where], 12), "\n  "))
		}
	}
	switch {
	case t.Failed():
	case *updateEnglish:
		if err := os.WriteFile(file, []byte(list.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	case list.String() != string(text):
		t.Errorf("%s: there are fewer private words than it says; run go test . -run English -update-english", file)
	}
}

// countPrivateWords returns the places of private words, by "folder/kind".
func countPrivateWords(t *testing.T) map[string][]string {
	t.Helper()
	out, err := exec.Command("git", "ls-files", "*.go", "*.md").Output()
	if err != nil {
		t.Skipf("list files: %v", err)
	}
	found := map[string][]string{}
	used := map[string]int{}
	add := func(kind, name string, line int, text string) {
		for quoted := range literal[name] {
			used[name+" "+quoted] += strings.Count(text, quoted)
			text = strings.ReplaceAll(text, quoted, "")
		}
		folder, _, below := strings.Cut(name, "/")
		if !below {
			folder = "."
		}
		for _, word := range privateWords.FindAllString(text, -1) {
			where := folder + "/" + kind
			found[where] = append(found[where], fmt.Sprintf("%s:%d: %s", name, line, word))
		}
	}
	for _, name := range strings.Fields(string(out)) {
		text, err := os.ReadFile(name)
		switch {
		case err != nil || name == "english_test.go" || strings.Contains(name, "testdata/") || made(name, text):
		case filepath.Ext(name) == ".go":
			scanGo(name, text, add)
		default:
			printed := false // by the program, whose strings are counted in its folders
			for i, line := range strings.Split(string(text), "\n") {
				if strings.HasPrefix(line, "```") {
					printed = line == "```console"
				}
				if !printed {
					add("pages", name, i+1, line)
				}
			}
		}
	}
	for name, texts := range literal {
		for quoted := range texts {
			if used[name+" "+quoted] == 0 {
				t.Errorf("%s: no text has %q; remove the exception", name, quoted)
			}
		}
	}
	return found
}

// made reports whether a program wrote the file.
func made(name string, text []byte) bool {
	return strings.HasPrefix(name, "docs/causes/") || strings.HasPrefix(name, "docs/questions/") || strings.HasPrefix(name, "docs/cli/") ||
		strings.HasPrefix(name, "docs/measurements/") || bytes.Contains(text[:min(len(text), 200)], []byte("Code generated"))
}

func scanGo(name string, text []byte, add func(kind, name string, line int, text string)) {
	files := token.NewFileSet()
	file := files.AddFile(name, -1, len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, scanner.ScanComments)
	for {
		pos, tok, literal := s.Scan()
		switch tok {
		case token.EOF:
			return
		case token.COMMENT:
			add("comments", name, file.Line(pos), literal)
		case token.STRING:
			if !strings.HasSuffix(name, "_test.go") {
				add("strings", name, file.Line(pos), literal)
			}
		}
	}
}

func sortedKeys(m map[string][]string) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func last(list []string, n int) []string { return list[max(0, len(list)-n):] }

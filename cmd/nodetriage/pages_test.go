package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

var updatePages = flag.Bool("update-pages", false, "write the answers into README.md and the pages of docs")

// session matches a terminal session on a page, and the comment before it that says why its commands need more than a test has.
var session = regexp.MustCompile("(?s)((?:<!-- lab: [^\n]* -->\n)?)```console\n(.*?)```\n")

// pageFile matches a file on a page, which the sessions of the page read.
var pageFile = regexp.MustCompile("(?s)<!-- file: ([^\n]*) -->\n```[a-z]*\n(.*?)```\n")

// instead names the command on recorded evidence whose output is shown for a session that needs a cluster.
var instead = regexp.MustCompile(`^<!-- lab: [^\n]*; output of: (.*) -->\n$`)

// The commands of the README and of the pages of docs print what stands below them.
func TestReadmeAndPages(t *testing.T) {
	sessions := 0
	for _, name := range writtenPages(t) {
		page, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.ToSlash(name), func(t *testing.T) {
			reader := newReader(t)
			for _, file := range pageFile.FindAllSubmatch(page, -1) {
				if err := writePageFile(string(file[1]), file[2]); err != nil {
					t.Fatal(err)
				}
			}
			fresh := session.ReplaceAllFunc(page, func(block []byte) []byte {
				sessions++
				part := session.FindSubmatch(block)
				out, err := reader.play(string(part[1]), string(part[2]))
				if err != nil {
					t.Fatal(err)
				}
				return []byte(string(part[1]) + "```console\n" + out + "```\n")
			})
			switch {
			case bytes.Equal(page, fresh):
			case *updatePages:
				if err := os.WriteFile(reader.abs(name), fresh, 0o644); err != nil {
					t.Fatal(err)
				}
			default:
				t.Errorf("%s shows other answers than the program prints; run go test ./cmd/nodetriage -run Readme -update-pages", name)
			}
		})
	}
	if sessions < 10 {
		t.Errorf("%d sessions found, want at least 10", sessions)
	}
}

// A session with a wrong answer, an unknown program, or a cluster without a reason is not accepted.
func TestReadmeSessions(t *testing.T) {
	reader := newReader(t)
	for _, c := range []struct{ lab, text, want, err string }{
		{text: "$ nodetriage diagnose --example no-such > out.txt\n$ echo $?\nold\n", want: "$ nodetriage diagnose --example no-such > out.txt\n$ echo $?\n2\n"},
		{text: "$ nodetriage diagnose --example no-such | head -1\n$ echo $?\nold\n", want: "$ nodetriage diagnose --example no-such | head -1\n$ echo $?\n0\n"},
		{text: "$ nodetriage explain --list | head -1\nold\n", want: "$ nodetriage explain --list | head -1\n"},
		{text: "$ kubectl get nodes\n", err: "needs a reason"},
		{lab: "<!-- lab: needs a node -->\n", text: "$ kubectl get nodes\nanything\n", want: "$ kubectl get nodes\nanything\n"},
	} {
		got, err := reader.play(c.lab, c.text)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%q: error %v, want %q", c.text, err, c.err)
			}
			continue
		}
		if err != nil || !strings.HasPrefix(got, c.want) || strings.Contains(got, "old\n") {
			t.Errorf("%q: got %q and error %v, want %q", c.text, got, err, c.want)
		}
	}
}

// generatedPages are written by programs.
var generatedPages = map[string]bool{"causes": true, "questions": true, "cli": true, "measurements": true, "rules.md": true, "coverage.md": true, "probes.md": true}

// writtenPages returns the files of the README and of the pages of docs that people write.
func writtenPages(t *testing.T) []string {
	t.Helper()
	const root = "../../"
	pages := []string{root + "README.md", root + "CONTRIBUTING.md", root + "SECURITY.md", root + "charts/nodetriage/README.md"}
	err := filepath.WalkDir(root+"docs", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case generatedPages[e.Name()] && e.IsDir():
			return fs.SkipDir
		case !e.IsDir() && filepath.Ext(name) == ".md" && !generatedPages[e.Name()]:
			pages = append(pages, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

// pageReader is a reader who types the commands of one page in an empty folder, in which the folder cases is the repository's.
type pageReader struct {
	from string // folder of the test
	code int    // of the last command
}

func newReader(t *testing.T) *pageReader {
	t.Helper()
	from, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("COLUMNS", "80")
	t.Setenv("KUBECONFIG", "/nonexistent")
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Chdir(t.TempDir())
	if err := os.Symlink(filepath.Join(from, "../../cases"), "cases"); err != nil {
		t.Fatal(err)
	}
	return &pageReader{from: from}
}

func (r *pageReader) abs(name string) string { return filepath.Join(r.from, name) }

// play returns the session with the output that its commands have now.
func (r *pageReader) play(lab, text string) (string, error) {
	var out strings.Builder
	for _, line := range commandLines(text) {
		run := strings.ReplaceAll(strings.TrimPrefix(line, "$ "), "\\\n", "")
		if other := instead.FindStringSubmatch(lab); other != nil {
			run = other[1]
		} else if lab != "" {
			return text, nil
		}
		printed, err := r.run(run)
		if err != nil {
			return "", err
		}
		if printed != "" && !strings.HasSuffix(printed, "\n") {
			printed += "\n"
		}
		out.WriteString(line + "\n" + printed)
	}
	return out.String(), nil
}

// commandLines returns the lines of a session that a reader types, with the lines that continue them.
func commandLines(text string) []string {
	var lines []string
	goesOn := false
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case goesOn:
			lines[len(lines)-1] += "\n" + line
		case strings.HasPrefix(line, "$ "):
			lines = append(lines, line)
		default:
			continue
		}
		goesOn = strings.HasSuffix(line, "\\")
	}
	return lines
}

// writePageFile writes a file of a page. A file of YAML must be YAML.
func writePageFile(name string, text []byte) error {
	if strings.HasSuffix(name, "yaml") || strings.HasSuffix(name, "yml") {
		if err := yaml.UnmarshalStrict(text, &map[string]any{}); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o644)
}

// run runs a command line of the program and returns what it prints. It knows "> FILE", "| head -N" and "| tail -N" at the end.
func (r *pageReader) run(line string) (string, error) {
	if line == "echo $?" {
		return fmt.Sprintln(r.code), nil
	}
	line, file, _ := strings.Cut(line, " > ")
	line, filter, _ := strings.Cut(line, " | ")
	words := strings.Fields(line)
	if words[0] != "nodetriage" {
		return "", fmt.Errorf("%q: a command that no test can run needs a reason: <!-- lab: REASON -->", line)
	}
	var out bytes.Buffer
	root := newRoot()
	root.SetArgs(words[1:])
	root.SetOut(&out)
	root.SetErr(&bytes.Buffer{})
	r.code = 0
	if err := root.Execute(); err != nil {
		var code exitCode
		if r.code = int(exitUsage); errors.As(err, &code) {
			r.code = int(code)
		}
	}
	if filter != "" {
		r.code = 0 // that of head or tail
	}
	if file != "" {
		return "", os.WriteFile(file, out.Bytes(), 0o644)
	}
	return part(out.String(), filter)
}

// part returns the lines that head -N or tail -N lets through.
func part(text, filter string) (string, error) {
	if filter == "" {
		return text, nil
	}
	name, count, _ := strings.Cut(filter, " -")
	n, err := strconv.Atoi(count)
	lines := strings.SplitAfter(text, "\n")
	switch lines = slices.DeleteFunc(lines, func(s string) bool { return s == "" }); {
	case err != nil:
	case name == "head":
		return strings.Join(lines[:min(n, len(lines))], ""), nil
	case name == "tail":
		return strings.Join(lines[max(0, len(lines)-n):], ""), nil
	}
	return "", fmt.Errorf("%q: use head -N or tail -N", filter)
}

// Package casetest is the harness of all tests whose cases are files: it finds them, hands out their parts, holds what
// came of them against what they want, and rewrites that with -update. Only tests import it.
//
// A case is a txtar archive. The comment above its files says what it is about and where it comes from: "written by
// hand", "recorded" (of a real component in the lab) or "captured" (from somebody's cluster). What the test must know
// besides stands in case.yaml (or in a file of one line: args, ask), the evidence in files with the names that it would
// have, and what must come of it in want.
package casetest

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"sigs.k8s.io/yaml"
)

var update = flag.Bool("update", false, "write what the cases give now into what they want")

// provenance is how a case says where it comes from.
var provenance = regexp.MustCompile(`(?i)written by hand|handwritten|\brecorded\b|\bcaptured\b`)

// Case is one case while it runs.
type Case struct {
	Path    string // of its file
	Comment string // what stands above its files
	archive *txtar.Archive
	changed bool
}

// Run runs check for each case that pattern matches, as a subtest with the name of its file. A pattern without a match,
// and a case that does not say where it comes from, fail.
func Run(t *testing.T, pattern string, check func(t *testing.T, c *Case)) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases match %s: %v", pattern, err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			c := Open(t, path)
			check(t, c)
			c.save(t)
		})
	}
}

// Open reads one case, for tests that only look at its files.
func Open(t testing.TB, path string) *Case {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !provenance.Match(archive.Comment) {
		t.Errorf("%s does not say in its comment where it comes from: written by hand, recorded or captured", path)
	}
	return &Case{Path: path, Comment: string(archive.Comment), archive: archive}
}

// Files returns the files of the case in their order, without those named.
func (c *Case) Files(without ...string) []txtar.File {
	return slices.DeleteFunc(slices.Clone(c.archive.Files), func(f txtar.File) bool { return slices.Contains(without, f.Name) })
}

// File returns a file of the case; nil if it has none of that name.
func (c *Case) File(name string) []byte {
	if i := c.index(name); i >= 0 {
		return c.archive.Files[i].Data
	}
	return nil
}

// Text returns a file of one line without the white space around it.
func (c *Case) Text(name string) string { return strings.TrimSpace(string(c.File(name))) }

// YAML reads a file of the case into a value that must have all its fields.
func (c *Case) YAML(t testing.TB, name string, into any) {
	t.Helper()
	if err := yaml.UnmarshalStrict(c.File(name), into); err != nil {
		t.Fatalf("%s: %s: %v", c.Path, name, err)
	}
}

// Want holds got against the file of that name; with -update it becomes that file.
func (c *Case) Want(t testing.TB, name, got string) {
	t.Helper()
	i := c.index(name)
	if *update {
		if i < 0 {
			i, c.archive.Files = len(c.archive.Files), append(c.archive.Files, txtar.File{Name: name})
		}
		c.archive.Files[i].Data, c.changed = []byte(got), true
		return
	}
	if i < 0 {
		t.Errorf("%s has no %s: run with -update and look at it; got\n%s", c.Path, name, got)
	} else if want := string(c.archive.Files[i].Data); got != want {
		t.Errorf("%s: run with -update and look at the difference; got\n%s\nwant\n%s", name, got, want)
	}
}

func (c *Case) index(name string) int {
	return slices.IndexFunc(c.archive.Files, func(f txtar.File) bool { return f.Name == name })
}

func (c *Case) save(t testing.TB) {
	t.Helper()
	if c.changed {
		write(t, c.Path, txtar.Format(c.archive))
	}
}

// Golden holds what show prints against the file at path, which has nothing else; with -update it becomes that file.
func Golden(t testing.TB, path string, show func(io.Writer) error) {
	t.Helper()
	var got bytes.Buffer
	if err := show(&got); err != nil {
		t.Fatal(err)
	}
	if *update {
		write(t, path, got.Bytes())
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (run with -update to write it)", err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("%s: run with -update and look at the difference; got\n%s", path, &got)
	}
}

func write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

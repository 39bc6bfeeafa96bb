// Package casetest is the harness of all tests with cases in files. It finds the cases, reads their parts, compares results
// with the expected ones, and rewrites those with -update. Only tests import it.
//
// A case is a txtar archive. The comment above its files describes it and its origin: "written by hand", "recorded" (from a
// real component in the lab) or "captured" (from a user's cluster). Other input of the test is in case.yaml (or in a file of
// one line: args, ask). The evidence is in files with their usual names, and the expected result in want.
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

// provenance matches the origin of a case.
var provenance = regexp.MustCompile(`(?i)written by hand|handwritten|\brecorded\b|\bcaptured\b`)

// Case is one running case.
type Case struct {
	Path    string // of its file
	Comment string // the text above its files
	archive *txtar.Archive
	changed bool
}

// Run runs check for each case that matches pattern, as a subtest with the name of its file. It fails for a pattern without a
// match, and for a case without an origin.
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

// Open reads one case, for tests that only read its files.
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

// Files returns the files of the case in order, without the named ones.
func (c *Case) Files(without ...string) []txtar.File {
	return slices.DeleteFunc(slices.Clone(c.archive.Files), func(f txtar.File) bool { return slices.Contains(without, f.Name) })
}

// File returns a file of the case; nil if there is no file of that name.
func (c *Case) File(name string) []byte {
	if i := c.index(name); i >= 0 {
		return c.archive.Files[i].Data
	}
	return nil
}

// Text returns a file of one line without surrounding white space.
func (c *Case) Text(name string) string { return strings.TrimSpace(string(c.File(name))) }

// YAML decodes a file of the case strictly into a value.
func (c *Case) YAML(t testing.TB, name string, into any) {
	t.Helper()
	if err := yaml.UnmarshalStrict(c.File(name), into); err != nil {
		t.Fatalf("%s: %s: %v", c.Path, name, err)
	}
}

// Want compares got with the file of that name. With -update it writes the file.
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

// Golden compares the output of show with the file at path. With -update it writes the file.
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

package nodetriage_test

import (
	"bufio"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// docs/dependencies.md has a row for each module that a go.mod requires directly, with all columns, and no other; each such
// module is imported by a file of that module.
func TestDependenciesAreListed(t *testing.T) {
	rows := dependencyRows(t)
	seen := 0
	walk(t, ".", func(name string) {
		if path.Base(name) != "go.mod" {
			return
		}
		seen++
		used := importsBelow(t, path.Dir(name))
		listed := rows[name]
		for module := range direct(t, name) {
			cells, there := listed[module]
			if !there {
				t.Errorf("%s requires %s, which docs/dependencies.md does not list under it", name, module)
			}
			for _, c := range cells {
				if c == "" {
					t.Errorf("docs/dependencies.md: the row of %s under %s has an empty column", module, name)
				}
			}
			delete(listed, module)
			if !uses(used, module) {
				t.Errorf("%s requires %s, which nothing imports", name, module)
			}
		}
		for module := range listed {
			t.Errorf("docs/dependencies.md lists %s under %s, which does not require it directly", module, name)
		}
	})
	if seen < 2 || seen != len(rows) {
		t.Errorf("%d go.mod files, and sections for %d", seen, len(rows))
	}
}

// direct are the modules that a go.mod requires without the mark "// indirect", but for our own.
func direct(t *testing.T, name string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	out, block := map[string]bool{}, false
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0:
			continue
		case fields[0] == "require" && len(fields) > 1 && fields[1] == "(":
			block = true
			continue
		case fields[0] == ")":
			block = false
			continue
		case fields[0] == "require":
			fields = fields[1:]
		case !block:
			continue
		}
		own := strings.HasPrefix(fields[0], "github.com/nodetriage/nodetriage")
		if !strings.Contains(line, "// indirect") && !own {
			out[fields[0]] = true
		}
	}
	return out
}

// dependencyRows are the tables of the page: by go.mod and module, the other columns.
func dependencyRows(t *testing.T) map[string]map[string][]string {
	t.Helper()
	f, err := os.Open(filepath.Join("docs", "dependencies.md"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out, section := map[string]map[string][]string{}, ""
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if name, ok := strings.CutPrefix(lines.Text(), "## "); ok {
			section = name
			out[section] = map[string][]string{}
		}
		cells := strings.Split(strings.Trim(lines.Text(), "|"), "|")
		if !strings.HasPrefix(lines.Text(), "|") || len(cells) != 4 || strings.HasPrefix(cells[0], "-") {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if cells[0] == "module" {
			continue
		}
		if out[section][cells[0]] != nil {
			t.Errorf("docs/dependencies.md lists %s twice under %s", cells[0], section)
		}
		out[section][cells[0]] = cells[1:]
	}
	return out
}

// importsBelow are the imports of all Go files of the module in that folder, without those of modules below it.
func importsBelow(t *testing.T, dir string) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	walk(t, dir, func(name string) {
		if !strings.HasSuffix(name, ".go") || moduleOf(path.Dir(name)) != path.Clean(dir) {
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range file.Imports {
			if p, err := strconv.Unquote(i.Path.Value); err == nil {
				out[p] = true
			}
		}
	})
	return out
}

// moduleOf is the folder with the go.mod of the package in a folder.
func moduleOf(dir string) string {
	for dir != "." {
		if _, err := os.Stat(path.Join(dir, "go.mod")); err == nil {
			return dir
		}
		dir = path.Dir(dir)
	}
	return dir
}

// uses reports whether a package of the module is imported.
func uses(imports map[string]bool, module string) bool {
	for p := range imports {
		if p == module || strings.HasPrefix(p, module+"/") {
			return true
		}
	}
	return false
}

// walk visits all files below a folder, but not of folders that begin with a dot, of test data and of what is built.
func walk(t *testing.T, dir string, visit func(name string)) {
	t.Helper()
	root := os.DirFS(".")
	each := func(visit fs.WalkDirFunc) error { return fs.WalkDir(root, path.Clean(dir), visit) }
	if dir == "." {
		each = func(visit fs.WalkDirFunc) error { return walkTop(root, visit) }
	}
	err := each(func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := e.Name()
		if !e.IsDir() {
			visit(name)
			return nil
		}
		if name != dir && (strings.HasPrefix(base, ".") || base == "testdata" || base == "bin" || base == "dist" || base == "shared") {
			return fs.SkipDir
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

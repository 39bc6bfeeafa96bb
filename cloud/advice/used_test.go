package advice

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// A rule, a plan or a command in the catalog uses every action. A reworded page would otherwise silently lose the
// commands of other clouds.
func TestEveryActionIsUsed(t *testing.T) {
	asked := map[string]bool{}
	top, err := os.ReadFile("../../testdata/top.txt") // the test cache need not know of builds
	if err != nil {
		t.Fatal(err)
	}
	visit := func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(source), "advice.") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, source, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				asked[s.Sel.Name] = true
			}
			return true
		})
		return nil
	}
	for _, name := range strings.Fields(string(top)) {
		if err := filepath.WalkDir(filepath.Join("../..", name), visit); err != nil {
			t.Fatal(err)
		}
	}
	pages, err := catalog.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	written := map[string]bool{}
	for _, cause := range pages.Causes() {
		for _, r := range cause.Remedies {
			for _, c := range r.Commands {
				written[form(c)] = true
			}
		}
	}
	for name, action := range actions(t) {
		if !asked[name] && !written[form(azure[action])] {
			t.Errorf("nothing asks for %s, and no command of the catalog stands for it", name)
		}
		if !asked[name] && ec2[action] == "" {
			t.Errorf("%s is in the catalog alone, and no other cloud has a command for it", name)
		}
	}
}

// actions returns the constants with their texts.
func actions(t *testing.T) map[string]Action {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "advice.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]Action{}
	ast.Inspect(file, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if of, ok := v.Type.(*ast.Ident); ok && of.Name == "Action" {
			text, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			out[v.Names[0].Name] = Action(text)
		}
		return true
	})
	if len(out) < 40 {
		t.Fatalf("%d actions", len(out))
	}
	return out
}

package mcp

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"

	"github.com/nodetriage/nodetriage/answers/drain"
)

// Agents read what each kind of blocker means.
func TestEachBlockerHasWords(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../answers/drain/plan.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	kinds := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if of, named := spec.Type.(*ast.Ident); !named || of.Name != "Kind" {
			return false
		}
		kinds++
		value, literal := spec.Values[0].(*ast.BasicLit)
		if !literal { // named by another package
			return false
		}
		kind, err := strconv.Unquote(value.Value)
		if err != nil || blockerSays[drain.Kind(kind)] == "" {
			t.Errorf("blockerSays has no words for %s (%v)", spec.Names[0].Name, err)
		}
		return false
	})
	if kinds != len(blockerSays) {
		t.Errorf("%d kinds, %d of them have words", kinds, len(blockerSays))
	}
}

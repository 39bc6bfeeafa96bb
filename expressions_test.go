package nodetriage_test

import (
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// An expression that is compiled at the first use would fail only then: here all of them are.
func TestExpressionsCompile(t *testing.T) {
	compiled := 0
	eachSource(t, func(name string, file *ast.File) {
		if strings.HasSuffix(name, "_test.go") {
			return
		}
		constants := map[string]ast.Expr{}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				for i, value := range n.Values {
					constants[n.Names[i].Name] = value
				}
			case *ast.CallExpr:
				f, ok := n.Fun.(*ast.SelectorExpr)
				if !ok || selected(n.Fun) != "New" && selected(n.Fun) != "MustCompile" || len(n.Args) != 1 {
					return true
				}
				if of, ok := f.X.(*ast.Ident); !ok || of.Name != "lazyregexp" && of.Name != "prefilter" {
					return true
				}
				expr, ok := text(n.Args[0], constants)
				if !ok {
					t.Errorf("%s makes an expression of what is not a constant of its file: regexp.Compile reports what is wrong with it", name)
					return true
				}
				if _, err := regexp.Compile(expr); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				compiled++
			}
			return true
		})
	})
	if compiled < 200 {
		t.Errorf("only %d expressions were found", compiled)
	}
}

// text is the value of literals and constants of the file that are joined by +.
func text(x ast.Expr, constants map[string]ast.Expr) (string, bool) {
	switch x := x.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(x.Value)
		return s, err == nil && x.Kind == token.STRING
	case *ast.Ident:
		if value := constants[x.Name]; value != nil {
			return text(value, constants)
		}
	case *ast.BinaryExpr:
		left, ok := text(x.X, constants)
		right, also := text(x.Y, constants)
		return left + right, ok && also && x.Op == token.ADD
	}
	return "", false
}

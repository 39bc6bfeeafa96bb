package rules_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
)

// saidIn returns the ids of causes and symptoms in a source file: Says of claims and the first argument of RuleOut.
func saidIn(source string) []string {
	tree, err := parser.ParseFile(token.NewFileSet(), "", source, 0)
	if err != nil {
		return []string{err.Error()}
	}
	var out []string
	add := func(e ast.Expr) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if id, err := strconv.Unquote(lit.Value); err == nil && id != "" {
				out = append(out, id)
			}
		}
	}
	says := func(e ast.Expr) bool {
		switch e := e.(type) {
		case *ast.Ident:
			return e.Name == "Says" || e.Name == "says"
		case *ast.SelectorExpr:
			return e.Sel.Name == "Says"
		}
		return false
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			if says(n.Key) {
				add(n.Value)
			}
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if says(left) && len(n.Lhs) == len(n.Rhs) {
					add(n.Rhs[i])
				}
			}
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "RuleOut" && len(n.Args) > 0 {
				add(n.Args[0])
			}
		}
		return true
	})
	return out
}

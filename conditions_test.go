package nodetriage_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

// maxOperators is how many operators && and || one condition may have. A longer one is split into parts with names, and the names say
// why the condition is as it is.
const maxOperators = 3

func TestConditionsAreShort(t *testing.T) {
	eachSource(t, func(name string, file *ast.File) {
		if strings.HasSuffix(name, "_test.go") {
			return
		}
		for _, c := range conditions(file) {
			if n := operators(c); n > maxOperators {
				t.Errorf("%s: a condition has %d operators && and ||, more than %d: name its parts\n    %s", name, n, maxOperators, types.ExprString(c))
			}
		}
	})
}

// conditions are the expressions of a file that have operators, each as large as it is. What a condition passes to a function that it
// calls, and what a function literal in it holds, are conditions apart.
func conditions(file *ast.File) (all []ast.Expr) {
	part := map[ast.Expr]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		x, ok := n.(*ast.BinaryExpr)
		if !ok || part[x] {
			return true
		}
		all = append(all, x)
		eachOperand(x, func(o ast.Expr) { part[o] = true })
		return true
	})
	return all
}

// operators counts the operators && and || of a condition.
func operators(condition ast.Expr) (count int) {
	eachOperand(condition, func(x ast.Expr) {
		if b, ok := x.(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) {
			count++
		}
	})
	return count
}

// eachOperand visits an expression and everything that its operators join.
func eachOperand(x ast.Expr, visit func(ast.Expr)) {
	visit(x)
	switch x := x.(type) {
	case *ast.ParenExpr:
		eachOperand(x.X, visit)
	case *ast.UnaryExpr:
		eachOperand(x.X, visit)
	case *ast.BinaryExpr:
		eachOperand(x.X, visit)
		eachOperand(x.Y, visit)
	}
}

// The count of operators ends at calls and function literals, and not at parentheses or comparisons.
func TestOperatorsAreCounted(t *testing.T) {
	for source, want := range map[string][]int{
		`a && b || !(c && d)`: {3},
		`a == (b && c)`:       {1},
		`a && f(b || c)`:      {1, 1},
		`a && func() bool { return b && c || d }()`: {1, 2},
		`slices.Contains(list, x) || y && z`:        {2},
		`1+2 > 3`:                                   {0},
	} {
		var got []int
		for _, c := range conditions(expressionFile(t, source)) {
			got = append(got, operators(c))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: counted %v, want %v", source, got, want)
		}
	}
}

func expressionFile(t *testing.T, source string) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\nvar x = "+source+"\n", 0)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

package nodetriage_test

import (
	"go/ast"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// notRaced are packages that start goroutines and are not in make race, with the reason.
var notRaced = map[string]string{
	"accuracy":             "each goroutine judges other cases, and shares nothing that changes",
	"cmd/nodetriage":       "its tests take a quarter of an hour with the detector, and what they call is in make race",
	"knowledge/catalog":    "each goroutine reads another page",
	"knowledge/signatures": "the tests of collect use it, with the detector",
}

// make race plays every package that starts goroutines. Two lists that shared a map ended the program on a large cluster only.
func TestDetectorSeesGoroutines(t *testing.T) {
	text, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^race:\n.* -race (.*)$`).FindSubmatch(text)
	if found == nil {
		t.Fatal("the Makefile has no race")
	}
	raced := strings.Fields(strings.ReplaceAll(string(found[1]), "./", ""))
	starting := map[string]bool{}
	eachSource(t, func(name string, file *ast.File) {
		if !strings.HasSuffix(name, "_test.go") && startsGoroutines(file) {
			starting[path.Dir(name)] = true
		}
	})
	for _, folder := range slices.Sorted(maps.Keys(starting)) {
		plays := slices.ContainsFunc(raced, func(pattern string) bool {
			below, all := strings.CutSuffix(pattern, "/...")
			return pattern == folder || all && strings.HasPrefix(folder+"/", below+"/")
		})
		if plays == (notRaced[folder] != "") {
			t.Errorf("%s starts goroutines: add it to race of the Makefile, or to notRaced with the reason", folder)
		}
	}
	for folder := range notRaced {
		if !starting[folder] {
			t.Errorf("%s starts no goroutine: it needs no reason in notRaced", folder)
		}
	}
}

func startsGoroutines(file *ast.File) (starts bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			starts = true
		case *ast.CallExpr:
			if method, ok := n.Fun.(*ast.SelectorExpr); ok && method.Sel.Name == "Go" { // of sync.WaitGroup and errgroup.Group
				starts = true
			}
		}
		return !starts
	})
	return starts
}

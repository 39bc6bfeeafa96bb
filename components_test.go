package nodetriage_test

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/components"
)

// ownLists are lists of components that are no knowledge of components, each with the reason: file and top-level declaration.
var ownLists = map[string]string{
	"agent/egress_goals.go proxies":         "the programs whose proxy settings are used to pull images: not every runtime pulls",
	"agent/setup_trust.go keptPackages":     "packages of Debian, most of the system and not of a component",
	"knowledge/clouds/clouds.go clouds":     "clouds, whose schemes and services are also names of components",
	"knowledge/clouds/clouds.go local":      "schemes of provider IDs without a cloud",
	"evidence/redact/forms.go forms":        "forms of secrets, by who issues them",
	"triage/runtime.go wordsOfRuntime":      "how a command for one runtime is written for another",
	"knowledge/signatures/literal.go usual": "words too frequent to search for",
	"evidence/anonymize/keep.go component":  "workloads that keep their names, most of them of clouds and monitoring; components are asked first",
}

// notProgram are folders that measure or build the program: who judges the table must not ask it.
var notProgram = []string{"accuracy/", "cases/casetest/", "hack/", "site/"}

// What is known of components stands in package components alone: a list of three of them elsewhere is one that forgets the fourth.
func TestComponentsStandOnce(t *testing.T) {
	known := componentNames()
	used := map[string]bool{}
	eachSource(t, func(name string, file *ast.File) {
		measures := slices.ContainsFunc(notProgram, func(dir string) bool { return strings.HasPrefix(name, dir) })
		if measures || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "knowledge/components/") {
			return
		}
		for _, decl := range file.Decls {
			for _, where := range declared(decl) {
				found := listed(where.node, known)
				key := name + " " + where.name
				switch {
				case len(found) < 3:
				case ownLists[key] != "":
					used[key] = true
				default:
					t.Errorf("%s has a list of %s: ask package components, or say in ownLists why it is another question", key, strings.Join(found, ", "))
				}
			}
		}
	})
	for key := range ownLists {
		if !used[key] {
			t.Errorf("%s has no list of components any more", key)
		}
	}
}

// componentNames are the names of components and of what they consist of, with the component.
func componentNames() map[string]string {
	out := map[string]string{}
	for _, c := range components.All() {
		names := [][]string{{c.Name}, c.Agents, c.Pods, c.Containers, c.Namespaces, c.Programs, c.Processes, c.Shims, c.Units}
		for _, name := range slices.Concat(names...) {
			out[bareName(name)] = c.Name
		}
	}
	return out
}

func bareName(name string) string {
	return strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(name, ".service"), "-"))
}

type namedNode struct {
	name string
	node ast.Node
}

// declared are the functions, variables and constants of a declaration.
func declared(decl ast.Decl) []namedNode {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		return []namedNode{{d.Name.Name, d}}
	case *ast.GenDecl:
		var out []namedNode
		for _, s := range d.Specs {
			if v, ok := s.(*ast.ValueSpec); ok {
				out = append(out, namedNode{v.Names[0].Name, v})
			}
		}
		return out
	}
	return nil
}

// listed are the components that the longest list below a node names: a composite literal without the functions in it, or the cases
// of a switch.
func listed(node ast.Node, known map[string]string) []string {
	var longest []string
	ast.Inspect(node, func(n ast.Node) bool {
		found := map[string]bool{}
		switch n := n.(type) {
		case *ast.CompositeLit:
			namesIn(n, known, found)
		case *ast.SwitchStmt:
			for _, s := range n.Body.List {
				for _, x := range s.(*ast.CaseClause).List {
					namesIn(x, known, found)
				}
			}
		}
		if len(found) > len(longest) {
			longest = slices.Sorted(maps.Keys(found))
		}
		return true
	})
	return longest
}

func namesIn(node ast.Node, known map[string]string, found map[string]bool) {
	ast.Inspect(node, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text, err := strconv.Unquote(lit.Value)
			if of := known[bareName(text)]; err == nil && of != "" {
				found[of] = true
			}
		}
		return true
	})
}

// The causes that components stand for are in the catalog.
func TestCausesOfComponentsExist(t *testing.T) {
	cat, err := catalog.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range components.All() {
		for _, id := range []string{c.Stopped(), c.Looping()} {
			if id != "" && cat.Cause(id) == nil {
				t.Errorf("%s stands for %q, which is no cause", c.Name, id)
			}
		}
	}
}

//go:build unix

package nodetriage_test

import (
	"go/ast"
	"go/constant"
	"go/types"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/knowledge/shell/shelltest"
)

// In every place of every command that the program can make, no name does anything: each is there as one word, or left out.
func TestNoNameRunsInAnyPlace(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts shells")
	}
	templates := commandTemplates(t)
	if len(templates) < 300 {
		t.Fatalf("%d commands with places, which cannot be all", len(templates))
	}
	texts, places := map[shell.Text][]string{}, 0
	for _, template := range templates {
		places += len(template.Places()) + len(template.Open().Places())
		for _, name := range shelltest.Names {
			for _, filled := range fillings(template, name) {
				if !slices.Contains(texts[filled], name) {
					texts[filled] = append(texts[filled], name)
				}
			}
		}
	}
	for _, program := range shelltest.Shells() {
		t.Run(filepath.Base(program), func(t *testing.T) {
			t.Parallel()
			room, err := shelltest.NewRoom(t.TempDir(), program)
			if err != nil {
				t.Fatal(err)
			}
			for text, names := range texts {
				for _, did := range room.Paste(string(text), names) {
					t.Errorf("%s: %q", did, text)
				}
			}
		})
	}
	t.Logf("%d commands with %d places, %d names, %d texts", len(templates), places, len(shelltest.Names), len(texts))
}

// fillings are a command with a name in all of its places, by each of the ways in which names get into one.
func fillings(template shell.Text, name string) []shell.Text {
	values := map[string]string{}
	var list []string
	for _, place := range template.Open().Places() {
		values[place] = name
		list = append(list, name)
	}
	return []shell.Text{shell.Format(template, list...), template.Fill(values), template.Complete(values), template.Open().Fill(values)}
}

// commandTemplates are all commands of the program and of its knowledge that have a place for a name.
func commandTemplates(t *testing.T) (out []shell.Text) {
	t.Helper()
	found := map[shell.Text]bool{}
	add := func(s string) {
		if text := shell.Text(s); len(text.Open().Places()) > 0 {
			found[text] = true
		}
	}
	c, err := catalog.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []any{c.Causes(), c.Symptoms(), c.Questions(), catalog.Providers()} {
		eachString(reflect.ValueOf(x), "", func(_ string, s reflect.Value) {
			if s.Type() == reflect.TypeFor[shell.Text]() {
				add(s.String())
			}
		})
	}
	for _, p := range typed(t) {
		for _, file := range p.files {
			ast.Inspect(file, func(n ast.Node) bool {
				if e, ok := n.(ast.Expr); ok && p.constant(e) != nil && p.constant(e).Kind() == constant.String && !types.Identical(p.info.TypeOf(e), types.Typ[types.String]) && p.isText(e) {
					add(constant.StringVal(p.constant(e)))
					return false
				}
				return true
			})
		}
	}
	for text := range found {
		out = append(out, text)
	}
	slices.Sort(out)
	return out
}

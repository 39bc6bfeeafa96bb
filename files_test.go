package nodetriage_test

import (
	"go/ast"
	"strings"
	"testing"
)

// written are the functions that make, replace or open files for writing.
var written = map[string]bool{"Create": true, "CreateTemp": true, "WriteFile": true, "OpenFile": true, "Rename": true, "Link": true, "Symlink": true}

// mayWrite are the files that write files without package atomicfile, each with the reason. A path that ends with / is a folder.
var mayWrite = map[string]string{
	"atomicfile/":                        "it is the door",
	"collect/bundle/container.go":        "it only creates files, in a folder that was empty, and replaces none",
	"collect/bundle/texts.go":            "a temporary file that loses its name at once, and is never shown",
	"cmd/nodetriage/nodecheck_scarce.go": "it opens the null device for a child",
	"cmd/nodetriage/main_manpages.go":    "the build of a release writes manual pages into a folder that it made",
	"cmd/nodetriage-agent/store.go":      "the agent's own folder, which nobody else writes to; it replaces its report every few seconds and must not wait for a disk that hangs",
	"cmd/nodetriage-agent/child.go":      "it names its own process in /proc",
	"cmd/nodetriage/gendocs/":            "it is no part of the program: it writes generated pages",
	"cases/casetest/":                    "only tests use it",
	"knowledge/shell/shelltest/":         "only tests use it",
	"site/":                              "it is no part of the program: it makes the site",
	"accuracy/":                          "it is no part of the program: it measures it",
}

// The program writes files through atomicfile alone, which replaces nothing but regular files, and those only if told so.
func TestFilesAreWrittenThroughOneDoor(t *testing.T) {
	used := map[string]bool{}
	eachSource(t, func(name string, file *ast.File) {
		if strings.HasSuffix(name, "_test.go") {
			return
		}
		reads := readers(file)
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.SelectorExpr)
			if !ok || !written[call.Sel.Name] || reads[call] {
				return true
			}
			if pkg, ok := call.X.(*ast.Ident); !ok || pkg.Name != "os" {
				return true
			}
			for prefix := range mayWrite {
				if name == prefix || strings.HasSuffix(prefix, "/") && strings.HasPrefix(name, prefix) {
					used[prefix] = true
					return true
				}
			}
			t.Errorf("%s uses os.%s: write files with package atomicfile, or say in mayWrite why not", name, call.Sel.Name)
			return true
		})
	})
	for prefix := range mayWrite {
		if !used[prefix] {
			t.Errorf("%s writes no file any more", prefix)
		}
	}
}

// readers are the calls of os.OpenFile whose flags say that the file is only read.
func readers(file *ast.File) map[*ast.SelectorExpr]bool {
	out := map[*ast.SelectorExpr]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 3 {
			return true
		}
		name, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || name.Sel.Name != "OpenFile" {
			return true
		}
		flags := map[string]bool{}
		ast.Inspect(call.Args[1], func(flag ast.Node) bool {
			if id, ok := flag.(*ast.Ident); ok {
				flags[id.Name] = true
			}
			return true
		})
		out[name] = flags["O_RDONLY"] && !flags["O_CREATE"]
		return true
	})
	return out
}

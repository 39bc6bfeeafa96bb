package nodetriage_test

import (
	"go/ast"
	"go/token"
	"path"
	"strconv"
	"strings"
	"testing"
)

// notForAsk are packages that package ask, and mcp above it, must not reach, with the reason.
var notForAsk = map[string]string{
	"execute":        "it changes clusters and clouds",
	"cloud/azure":    "it makes what changes Azure; who asks hands in a reader",
	"agent":          "it asks this machine",
	"cmd/nodetriage": "it is the command line",
}

// The code that answers questions gets no function that can change anything, through any package. Neither do the tools of agents:
// a plan is text, and only a person can run it.
func TestAskReachesNoWriter(t *testing.T) {
	for _, from := range []string{"ask", "mcp"} {
		reachesNoWriter(t, from)
	}
	for room := range notForAsk {
		if _, there := rooms[room]; !there {
			t.Errorf("notForAsk names %s, which does not exist", room)
		}
	}
}

func reachesNoWriter(t *testing.T, from string) {
	t.Helper()
	seen := map[string]bool{}
	var walk func(room, way string)
	walk = func(room, way string) {
		if why := notForAsk[room]; why != "" {
			t.Errorf("%s reaches %s: %s", way, room, why)
		}
		for _, next := range rooms[room].ours {
			if !seen[next] {
				seen[next] = true
				walk(next, way+" -> "+next)
			}
		}
	}
	walk(from, from)
}

// Package mcp has no way to a cluster or a cloud but its questions: it does not even import what reads them.
func TestToolsOnlyAsk(t *testing.T) {
	for _, room := range rooms["mcp"].ours {
		if room == "kube" || strings.HasPrefix(room, "cloud") || strings.HasPrefix(room, "cmd/") {
			t.Errorf("mcp imports %s: it must ask package ask", room)
		}
	}
}

// ofTheProcess are names that package ask must not use, with the reason. A name without a function is all of the package.
var ofTheProcess = map[string]string{
	"os.Args": "options are values", "os.Exit": "a library returns errors", "os.Stdin": "a reader is handed in", "os.Stdout": "it prints nothing",
	"os.Stderr": "it prints nothing", "os.Getenv": "options are values", "os.LookupEnv": "options are values", "os.Environ": "options are values",
	"os.UserHomeDir": "paths are options", "os.UserConfigDir": "paths are options", "os.TempDir": "paths are options", "os.Chdir": "it is for all of the process",
	"os/signal": "the context ends", "runtime/debug": "it is for all of the process", "log": "it prints nothing", "log/slog": "it prints nothing",
	"flag": "options are values", "fmt.Print": "it prints nothing", "fmt.Println": "it prints nothing", "fmt.Printf": "it prints nothing",
	"kube.Writer": "it changes clusters", "kube.NewWriter": "it changes clusters", "cloud.Operator": "it changes clouds",
}

// Package ask depends on nothing but its arguments: a server asks for many people at a time.
func TestAskKnowsNoProcess(t *testing.T) {
	files := 0
	eachSource(t, func(name string, file *ast.File) {
		if path.Dir(name) != "ask" || strings.HasSuffix(name, "_test.go") {
			return
		}
		files++
		for _, imp := range file.Imports {
			if to, _ := strconv.Unquote(imp.Path.Value); ofTheProcess[to] != "" {
				t.Errorf("%s imports %s: %s", name, to, ofTheProcess[to])
			}
		}
		for _, d := range file.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
				t.Errorf("%s has a variable of the package: who asks at the same time would share it", name)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := s.X.(*ast.Ident); ok {
				if used := x.Name + "." + s.Sel.Name; ofTheProcess[used] != "" {
					t.Errorf("%s uses %s: %s", name, used, ofTheProcess[used])
				}
			}
			return true
		})
	})
	if files == 0 {
		t.Error("package ask has no files")
	}
}

package agent

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/cases/casetest"
)

const pageHead = `<!-- Made of the probes of the agent and their comments by go test ./agent -run TestPage -update. -->
# What a node is asked

Each probe of ` + "`nodetriage node-check`" + ` and of the agent, as it is named under "Not checked" when it cannot tell; after how long it is
abandoned; and what a person can type on the node to see the same. [node-check.md](node-check.md) says how they run.

| probe | what it does | limit | by hand |
|---|---|---|---|
`

// The page has the doc comment of each probe function.
func TestPage(t *testing.T) {
	comments := functionComments(t)
	casetest.Golden(t, filepath.Join("..", "docs", "probes.md"), func(w io.Writer) error {
		var errs []error
		_, err := io.WriteString(w, pageHead)
		errs = append(errs, err)
		for _, p := range probes() {
			full := runtime.FuncForPC(reflect.ValueOf(p.look).Pointer()).Name()
			name := full[strings.LastIndex(full, ".")+1:]
			does, ok := strings.CutPrefix(comments[name], name+" ")
			if !ok {
				errs = append(errs, fmt.Errorf("probe %s: the comment of %s has to begin with its name and say what it does", p.name, name))
			}
			_, err := fmt.Fprintf(w, "| %s | %s | %d s | `%s` |\n", p.name, cell(does), int(p.limit.Seconds()), cell(p.how()))
			errs = append(errs, err)
		}
		return errors.Join(errs...)
	})
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// functionComments returns the doc comments of the functions in this package, each as one line, by name.
func functionComments(t *testing.T) map[string]string {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	comments := map[string]string{}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				comments[fn.Name.Name] = strings.Join(strings.Fields(fn.Doc.Text()), " ")
			}
		}
	}
	return comments
}

// People can see what each probe sees, for a gap or a doubt.
func TestHowToSee(t *testing.T) {
	for _, p := range append(probes(), egressProbe()) {
		if p.how() == "" {
			t.Errorf("%s: evidence/nodereport/how.go has no command that shows the same", p.name)
		}
	}
}

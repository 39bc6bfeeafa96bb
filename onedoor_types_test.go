package nodetriage_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// typedPackage is a package of the program with the types of its expressions.
type typedPackage struct {
	path  string
	fset  *token.FileSet
	files []*ast.File
	info  *types.Info
	// commands are the variables and fields that begin as one.
	commands map[types.Object]string
}

// checker finds the types of packages, with what the compiler wrote of those that they import.
type checker struct {
	fset    *token.FileSet
	imports types.Importer
	listed  [][]string // the packages of the program: import path, export file, folder, files
}

// newChecker lists the program, without its tests.
var newChecker = sync.OnceValues(func() (*checker, error) {
	list := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}\t{{.Dir}}\t{{join .GoFiles \",\"}}", "./...")
	var stderr bytes.Buffer
	list.Stderr = &stderr
	said, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, stderr.String())
	}
	c, exports := &checker{fset: token.NewFileSet()}, map[string]string{}
	for line := range strings.Lines(string(said)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		exports[f[0]] = f[1]
		if strings.HasPrefix(f[0]+"/", module) && f[3] != "" {
			c.listed = append(c.listed, f)
		}
	}
	c.imports = importer.ForCompiler(c.fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	return c, nil
})

// check finds the types of a package.
func (c *checker) check(path string, files ...*ast.File) (*typedPackage, error) {
	p := &typedPackage{path: path, fset: c.fset, files: files, info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}}
	config := types.Config{Importer: c.imports}
	_, err := config.Check(path, c.fset, files, p.info)
	return p, err
}

// typedProgram are all packages of the program.
var typedProgram = sync.OnceValues(func() (out []*typedPackage, err error) {
	c, err := newChecker()
	if err != nil {
		return nil, err
	}
	for _, f := range c.listed {
		var files []*ast.File
		for name := range strings.SplitSeq(f[3], ",") {
			file, err := parser.ParseFile(c.fset, filepath.Join(f[2], name), nil, parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			files = append(files, file)
		}
		p, err := c.check(f[0], files...)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	if len(out) < 50 {
		return nil, fmt.Errorf("%d packages, which cannot be all", len(out))
	}
	return out, nil
})

func typed(t *testing.T) []*typedPackage {
	t.Helper()
	all, err := typedProgram()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func (p *typedPackage) constant(e ast.Expr) constant.Value { return p.info.Types[e].Value }

// object is what a name stands for; nil: the expression is no name.
func (p *typedPackage) object(e ast.Expr) types.Object {
	switch e := e.(type) {
	case *ast.Ident:
		return p.info.ObjectOf(e)
	case *ast.SelectorExpr:
		return p.info.ObjectOf(e.Sel)
	}
	return nil
}

// nameOf is the function that a call calls, with its package.
func (p *typedPackage) nameOf(call *ast.CallExpr) string {
	if f, ok := p.object(call.Fun).(*types.Func); ok {
		return f.FullName()
	}
	return ""
}

func (p *typedPackage) isText(e ast.Expr) bool { return isText(p.info.TypeOf(e)) }

func isText(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == "Text" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == module+"knowledge/shell"
}

func isAny(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.Empty()
}

// holdsText reports whether a type has a shell.Text anywhere.
func holdsText(t types.Type, seen map[types.Type]bool) bool {
	if isText(t) || seen[t] {
		return isText(t)
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return holdsText(u.Elem(), seen)
	case *types.Slice:
		return holdsText(u.Elem(), seen)
	case *types.Array:
		return holdsText(u.Elem(), seen)
	case *types.Map:
		return holdsText(u.Key(), seen) || holdsText(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if f.Exported() && holdsText(f.Type(), seen) {
				return true
			}
		}
	}
	return false
}

// goTyped reports whether the expression is a string of Go's own type: an untyped constant may become a shell.Text.
func (p *typedPackage) goTyped(e ast.Expr) bool {
	return types.Identical(p.info.TypeOf(e), types.Typ[types.String])
}

func (p *typedPackage) isString(e ast.Expr) bool { return p.is(e, types.IsString) }

func (p *typedPackage) isNumber(e ast.Expr) bool { return p.is(e, types.IsNumeric) }

func (p *typedPackage) is(e ast.Expr, kind types.BasicInfo) bool {
	t := p.info.TypeOf(e)
	if t == nil {
		return false
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&kind != 0
}

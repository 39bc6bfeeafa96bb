package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

const module = "github.com/nodetriage/nodetriage/"

// comments are the comments of fields and the constants of types in our packages, by package.
type comments map[string]*sourceWords

type sourceWords struct {
	types  map[string]string    // by type
	fields map[[2]string]string // by type and field
	values map[string][]any     // by type
	open   map[string]bool      // types with constants whose value is in another file
	alias  map[string]string    // names in this package for types of other packages
}

// own resolves a name in this package to a type. Types of other packages are stored with their package.
func (w *sourceWords) own(name string) string {
	if full := w.alias[name]; full != "" {
		return full
	}
	return name
}

// field returns the comment of a field, as one line; empty for a type of another module.
func (c comments) field(t reflect.Type, name string) (string, error) {
	w, err := c.of(t)
	if w == nil || err != nil {
		return "", err
	}
	return w.fields[[2]string{t.Name(), name}], nil
}

// whole returns the comment of a type without its name, as one line; empty for a type of another module.
func (c comments) whole(t reflect.Type) (string, error) {
	w, err := c.of(t)
	if w == nil || err != nil {
		return "", err
	}
	says := w.types[t.Name()]
	for _, verb := range []string{" is ", " are "} {
		if rest, ok := strings.CutPrefix(says, t.Name()+verb); ok {
			return strings.ToUpper(rest[:1]) + rest[1:], nil
		}
	}
	return says, nil
}

// values returns the constants of a type, or nil if it has none.
func (c comments) values(t reflect.Type) ([]any, error) {
	w, err := c.of(t)
	if w == nil || err != nil {
		return nil, err
	}
	values := w.values[t.Name()]
	for _, other := range c {
		full := path.Base(t.PkgPath()) + "." + t.Name()
		if other.open[full] {
			return nil, nil
		}
		values = append(values, other.values[full]...)
	}
	if w.open[t.Name()] {
		return nil, nil
	}
	return values, nil
}

func (c comments) of(t reflect.Type) (*sourceWords, error) {
	dir, ours := strings.CutPrefix(t.PkgPath(), module)
	if !ours {
		return nil, nil
	}
	if w := c[dir]; w != nil {
		return w, nil
	}
	w := &sourceWords{types: map[string]string{}, fields: map[[2]string]string{}, values: map[string][]any{}, open: map[string]bool{}, alias: map[string]string{}}
	c[dir] = w
	files, err := filepath.Glob(filepath.Join(filepath.FromSlash(dir), "*.go"))
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		w.read(f)
	}
	return w, nil
}

func (w *sourceWords) read(f *ast.File) {
	for _, d := range f.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range decl.Specs {
			switch x := spec.(type) {
			case *ast.TypeSpec:
				w.types[x.Name.Name] = strings.Join(strings.Fields(decl.Doc.Text()+" "+x.Doc.Text()), " ")
				switch of := x.Type.(type) {
				case *ast.StructType:
					w.readFields(x.Name.Name, of)
				case *ast.SelectorExpr:
					if pkg, ok := of.X.(*ast.Ident); ok && x.Assign.IsValid() {
						w.alias[x.Name.Name] = pkg.Name + "." + of.Sel.Name
					}
				}
			case *ast.ValueSpec:
				if decl.Tok == token.CONST {
					w.readValue(x)
				}
			}
		}
	}
}

func (w *sourceWords) readFields(name string, s *ast.StructType) {
	for _, f := range s.Fields.List {
		says := strings.Join(strings.Fields(f.Doc.Text()+" "+f.Comment.Text()), " ")
		for _, id := range f.Names {
			w.fields[[2]string{name, id.Name}] = says
		}
	}
}

// readValue stores a constant with a named type: Clear Verdict = "clear", or Block = Action("block").
func (w *sourceWords) readValue(x *ast.ValueSpec) {
	named, _ := x.Type.(*ast.Ident)
	for _, v := range x.Values {
		name, value := named, v
		if call, ok := v.(*ast.CallExpr); ok && len(call.Args) == 1 {
			name, _ = call.Fun.(*ast.Ident)
			value = call.Args[0]
		}
		if name == nil || name.Name == "string" {
			continue
		}
		of := w.own(name.Name)
		text, err := "", error(nil)
		lit, ok := value.(*ast.BasicLit)
		if ok && lit.Kind == token.STRING {
			text, err = strconv.Unquote(lit.Value)
		}
		if !ok || err != nil {
			w.open[of] = true
			continue
		}
		w.values[of] = append(w.values[of], text)
	}
}

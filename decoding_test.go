package nodetriage_test

import (
	"go/ast"
	"path"
	"slices"
	"strings"
	"testing"
)

// plainDecoders run forever, or take all memory, for some documents. Package bounds has another one for each.
var plainDecoders = map[string][]string{
	"k8s.io/apimachinery/pkg/api/resource": {"ParseQuantity"},
	"sigs.k8s.io/yaml":                     {"Unmarshal", "UnmarshalStrict", "YAMLToJSON", "YAMLToJSONStrict"},
}

// ownDocuments are packages that decode documents which no stranger wrote.
var ownDocuments = map[string]string{
	"agent":                  "the node's own configuration, by root",
	"knowledge/signatures":   "generate reads the files of this repository; parse goes through bounds",
	"accuracy":               "reports of programs that it runs itself, and files of this repository",
	"cases/casetest":         "cases of this repository",
	"site":                   "documents of this repository",
	"cmd/nodetriage/gendocs": "documents of this repository",
}

func TestStrangersDocumentsAreBounded(t *testing.T) {
	eachSource(t, func(name string, file *ast.File) {
		dir := path.Dir(name)
		if strings.HasSuffix(name, "_test.go") || dir == "evidence/bounds" || dir == "evidence/bounds/quantity" || ownDocuments[dir] != "" {
			return
		}
		for _, imported := range file.Imports {
			module := strings.Trim(imported.Path.Value, `"`)
			of := path.Base(module)
			if imported.Name != nil {
				of = imported.Name.Name
			}
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.SelectorExpr)
				if !ok || !slices.Contains(plainDecoders[module], call.Sel.Name) {
					return true
				}
				if x, ok := call.X.(*ast.Ident); ok && x.Name == of {
					t.Errorf("%s calls %s.%s: use package bounds, which ends for every document", name, of, call.Sel.Name)
				}
				return true
			})
		}
	})
}

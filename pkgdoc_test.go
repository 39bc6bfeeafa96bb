package nodetriage_test

import (
	"go/ast"
	"path"
	"strings"
	"testing"
)

// Every package says what it is for, in one place.
func TestPackageDocs(t *testing.T) {
	docs := map[string][]string{}
	eachSource(t, func(name string, file *ast.File) {
		if strings.HasSuffix(name, "_test.go") {
			return
		}
		dir := path.Dir(name)
		if docs[dir] == nil {
			docs[dir] = []string{}
		}
		if file.Doc != nil {
			docs[dir] = append(docs[dir], name)
		}
	})
	for dir, files := range docs {
		switch len(files) {
		case 1:
		case 0:
			t.Errorf("package %s has no doc: say above one package clause what it is for", dir)
		default:
			t.Errorf("package %s has %d docs, in %s: keep one", dir, len(files), strings.Join(files, ", "))
		}
	}
}

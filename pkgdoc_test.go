package nodetriage_test

import (
	"go/ast"
	"os"
	"path"
	"path/filepath"
	"regexp"
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

// Who opens a folder at the top reads in ten lines what the room is for.
func TestRoomsSayWhatTheyAreFor(t *testing.T) {
	rooms := map[string]bool{}
	eachSource(t, func(name string, _ *ast.File) {
		if room, below, found := strings.Cut(name, "/"); found && room != "cmd" && room != "hack" && room != "site" && below != "" {
			rooms[room] = true
		}
	})
	if len(rooms) > 22 {
		t.Errorf("%d folders of Go at the top: put the new one into a room that is there", len(rooms))
	}
	for room := range rooms {
		text, err := os.ReadFile(filepath.Join(room, "doc.go"))
		if err != nil {
			t.Errorf("%s: say in %s/doc.go what the room is for", err, room)
			continue
		}
		if lines := strings.Count(string(text), "\n//") + 1; lines > 10 {
			t.Errorf("%s/doc.go has %d lines of comment, want ten", room, lines)
		}
	}
}

// What a package's doc and the page of the architecture call a file is there.
func TestNamedFilesExist(t *testing.T) {
	name := regexp.MustCompile(`[a-z_/]*[a-z*]\.go\b`)
	exists := func(in, text string, from ...string) {
		for _, file := range name.FindAllString(text, -1) {
			found := false
			for _, dir := range from {
				if dir == "." && strings.Contains(file, "*") && !strings.Contains(file, "/") { // no test lists this folder
					continue
				}
				list, err := filepath.Glob(filepath.Join(dir, file))
				found = found || err == nil && len(list) > 0
			}
			if !found && !strings.HasPrefix(file, "pkg/") { // of Kubernetes
				t.Errorf("%s names %s, which is not there", in, file)
			}
		}
	}
	eachSource(t, func(name string, file *ast.File) {
		if path.Base(name) == "doc.go" && file.Doc != nil {
			exists(name, file.Doc.Text(), path.Dir(name), ".")
		}
	})
	page, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	exists("docs/architecture.md", string(page), ".", "collect", "collect/survey", "report")
}

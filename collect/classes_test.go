package collect

import (
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// Signatures skip text of a class that reports no state, but read reports that only look like such text.
func TestClassesOfText(t *testing.T) {
	set, err := signatures.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob("testdata/classes/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no texts: %v", err)
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		reports := filepath.Base(path) == "reports.txtar"
		for _, f := range archive.Files {
			t.Run(filepath.Base(path)+"/"+f.Name, func(t *testing.T) {
				b := NewBuilder(evidence.Source{}, set)
				if err := b.AddFS(fstest.MapFS{f.Name: {Data: f.Data}}); err != nil {
					t.Fatal(err)
				}
				s := b.Snapshot()
				if reports && len(s.Matches()) == 0 {
					t.Error("no signature reads it")
				}
				if reports {
					return
				}
				if !words(set, string(f.Data)) {
					t.Error("no signature knows a word of it: the text tests nothing")
				}
				for _, m := range s.Matches() {
					t.Errorf("%s: %s", m.Signature, m.Ref.Text)
				}
				for _, l := range s.Lines() {
					if l.Gravity > logline.Plain {
						t.Errorf("stands out: %s", l.Ref.Text)
					}
				}
			})
		}
	}
}

// words reports whether a line of the text matches a signature.
func words(set *signatures.Set, text string) bool {
	found, err := set.Scan(strings.NewReader(text), signatures.Options{})
	return err == nil && len(found) > 0
}

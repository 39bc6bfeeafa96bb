package collect_test

import (
	"archive/tar"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
)

// Only the evidence of a recorded case is read, in every form of a case: its truth quotes the errors.
func TestCaseWithoutItsTruth(t *testing.T) {
	const truth = "class: runtime-hung\ntruth: PLEG is not healthy: pleg was last seen active 5m3s ago; threshold is 3m0s\n"
	const log = "E0602 00:35:00.000001 1 kubelet.go:1] \"Nothing to see here\"\n"
	text := "A note: PLEG is not healthy\n-- truth.yaml --\n" + truth + "-- evidence/kubelet.log --\n" + log
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "hang.txtar"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	folder := fstest.MapFS{"truth.yaml": {Data: []byte(truth)}, "evidence/kubelet.log": {Data: []byte(log)}}
	nested := fstest.MapFS{"a/truth.yaml": {Data: []byte(truth)}, "a/evidence/kubelet.log": {Data: []byte(log)}, "b.txtar": {Data: []byte(text)}}
	for name, add := range map[string]func(*collect.Builder) error{
		"file":            func(b *collect.Builder) error { return b.AddPath(filepath.Join(dir, "hang.txtar")) },
		"folder of files": func(b *collect.Builder) error { return b.AddPath(dir) },
		"standard input":  func(b *collect.Builder) error { b.AddStream("standard input", strings.NewReader(text)); return nil },
		"CRLF": func(b *collect.Builder) error {
			b.AddStream("c.txtar", strings.NewReader(strings.ReplaceAll(text, "\n", "\r\n")))
			return nil
		},
		"folder":          func(b *collect.Builder) error { return b.AddFS(folder) },
		"folder of cases": func(b *collect.Builder) error { return b.AddFS(nested) },
		"archive of a folder": func(b *collect.Builder) error {
			b.AddStream("case.tar", bytes.NewReader(tarOf(t, tarEntry{name: "x/truth.yaml", data: truth, kind: tar.TypeReg}, tarEntry{name: "x/evidence/kubelet.log", data: log})))
			return nil
		},
		"archive of a file": func(b *collect.Builder) error {
			b.AddStream("case.tar.gz", bytes.NewReader(gz(t, tarOf(t, tarEntry{name: "hang.txtar", data: text}))))
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := collect.NewBuilder(evidence.Source{Kind: "file"}, builtin(t))
			if err := add(b); err != nil {
				t.Fatal(err)
			}
			d := b.Snapshot().Data()
			if len(d.Matches) > 0 || len(d.Gaps) > 0 {
				t.Errorf("read beside the evidence: %+v %+v", d.Matches, d.Gaps)
			}
			if err := b.Unreadable(); err != nil {
				t.Error(err)
			}
		})
	}
}

// A truth.yaml that is not the truth of a case is evidence like any other file.
func TestOtherTruth(t *testing.T) {
	b := collect.NewBuilder(evidence.Source{Kind: "folder"}, builtin(t))
	if err := b.AddFS(fstest.MapFS{"truth.yaml": {Data: []byte(plegLine)}}); err != nil {
		t.Fatal(err)
	}
	if len(b.Snapshot().Data().Matches) == 0 {
		t.Error("the file was not read")
	}
}

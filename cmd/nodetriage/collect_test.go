package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/cases"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/collect/bundle"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/report"
)

// The report of any evidence equals that of its bundle, byte for byte, as an archive and unpacked. The fixtures are all cases,
// and the dumps of other tools.
func TestBundleGivesTheSameReport(t *testing.T) {
	t.Parallel()
	k := builtinKnowledge(t)
	fixtures := map[string]fs.FS{}
	recorded, err := cases.Find("../../cases")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range ofToday(recorded, 12) {
		fixtures[c.Name] = c.Evidence
	}
	dumps, err := filepath.Glob("../../collect/testdata/layouts/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range dumps {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if fixtures[path], err = txtar.FS(archive); err != nil {
			t.Fatal(err)
		}
	}
	if len(recorded) < 100 || len(dumps) < 10 {
		t.Fatalf("only %d cases and %d dumps", len(recorded), len(dumps))
	}
	var clean atomic.Int64
	t.Run("fixtures", func(t *testing.T) {
		for name, files := range fixtures {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				if sameFromBundle(t, k, name, files) {
					clean.Add(1)
				}
			})
		}
	})
	t.Logf("%d of %d fixtures hold nothing to replace", clean.Load(), len(fixtures))
	if int(clean.Load()) < len(fixtures)*9/10 {
		t.Errorf("only %d of %d fixtures were compared: too much is replaced", clean.Load(), len(fixtures))
	}
}

// sameFromBundle compares the report and the evidence of a fixture with those of its bundle. It returns false if the bundle
// redacts something, so that they differ.
func sameFromBundle(t *testing.T, k *ask.Knowledge, name string, files fs.FS) bool {
	t.Helper()
	texts, err := bundle.NewTexts(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := collect.NewBuilder(evidence.Source{Kind: "folder", Name: name}, k.Signatures)
	b.KeepTexts(texts)
	if err := b.AddFS(files); err != nil {
		t.Fatal(err)
	}
	s := unbundled(b)
	var file bytes.Buffer
	summary, err := bundle.Write(context.Background(), &file, s, texts, bundle.Options{Tool: "test"})
	if err != nil {
		t.Fatal(err)
	}
	texts.Close()
	if len(summary.Replaced) > 0 {
		return false
	}
	want, evidenceWanted := reportOf(t, k, s), dataOf(t, s)
	again := collect.NewBuilder(evidence.Source{Kind: "file", Name: "bundle.tar.gz"}, k.Signatures)
	again.AddStream("bundle.tar.gz", bytes.NewReader(file.Bytes()))
	restored := unbundled(again)
	if got := reportOf(t, k, restored); got != want {
		t.Errorf("the report differs:\n%s", firstDifference(want, got))
	}
	if got := dataOf(t, restored); got != evidenceWanted {
		t.Errorf("the evidence differs:\n%s", firstDifference(evidenceWanted, got))
	}
	if !strings.Contains(name, "layouts") {
		return true // once for each dump is enough
	}
	unpacked := collect.NewBuilder(evidence.Source{Kind: "folder", Name: "bundle"}, k.Signatures)
	if err := unpacked.AddFS(unpack(t, file.Bytes())); err != nil {
		t.Fatal(err)
	}
	if got := reportOf(t, k, unbundled(unpacked)); got != want {
		t.Errorf("the report from the unpacked bundle differs:\n%s", firstDifference(want, got))
	}
	return true
}

// unbundled returns the evidence without the name of its bundle, which is the only difference.
func unbundled(b *collect.Builder) *evidence.Snapshot {
	s := b.Snapshot()
	s.Data().Source.Bundle = ""
	return s
}

func builtinKnowledge(t *testing.T) *ask.Knowledge {
	t.Helper()
	var flags knowledgeFlags
	k, err := flags.load()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func reportOf(t *testing.T, k *ask.Knowledge, s *evidence.Snapshot) string {
	t.Helper()
	var out bytes.Buffer
	r := k.Judge(s, time.Time{})
	of := map[[2]string]bool{}
	for _, g := range ownGaps(s.Gaps()) {
		of[[2]string{g.What, g.Why}] = true
	}
	for i := range r.NotChecked {
		n := &r.NotChecked[i]
		if n.Why = strings.TrimPrefix(n.Why, "the bundle says: "); of[[2]string{n.What, n.Why}] {
			n.How = ""
		}
	}
	if err := report.JSON(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// ownGaps returns gaps without what a bundle does not store: its reasons are quoted, and its advice is replaced.
func ownGaps(gaps []evidence.Gap) []evidence.Gap {
	out := slices.Clone(gaps)
	for i := range out {
		out[i].Why, out[i].How = strings.TrimPrefix(out[i].Why, "the bundle says: "), ""
	}
	return out
}

// dataOf returns all evidence, whether rules read it or not.
func dataOf(t *testing.T, s *evidence.Snapshot) string {
	t.Helper()
	d := *s.Data()
	d.Gaps = ownGaps(d.Gaps)
	data, err := json.MarshalIndent(d, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(w), len(g)) {
		if i >= len(w) || i >= len(g) || w[i] != g[i] {
			return "want " + strings.Join(w[min(i, len(w)):min(i+4, len(w))], "\n") + "\ngot  " + strings.Join(g[min(i, len(g)):min(i+4, len(g))], "\n")
		}
	}
	return ""
}

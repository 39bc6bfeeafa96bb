package collect_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/redact"
)

// processors are the values of GOMAXPROCS that a folder is read with. With one, each document is read before the next.
var processors = []int{1, 2, 8}

// The evidence of a folder or an archive does not depend on the number of processors or on scheduling. That holds for objects,
// matches, gaps and the numbers of secrets.
func TestReadAhead(t *testing.T) {
	files := mixedFolder(t)
	archive := gz(t, tarOfFolder(t, files))
	for _, c := range []struct {
		name   string
		rounds int // on each number of processors
		add    func(*collect.Builder) error
	}{
		{"folder", 7, func(b *collect.Builder) error { return b.AddFS(files) }},
		{"archive", 2, func(b *collect.Builder) error { b.AddStream("saved.tar.gz", bytes.NewReader(archive)); return nil }},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := readOn(t, 1, c.add)
			if secrets := strings.Count(want, "[redacted-"); secrets < 20 {
				t.Errorf("%d tags stand for secrets, want 20 at least", secrets)
			}
			rounds := c.rounds
			if testing.Short() { // the race detector needs one round, and is ten times slower
				rounds = 1
			}
			for range rounds {
				for _, n := range processors {
					sameEvidence(t, fmt.Sprintf("%d processors", n), readOn(t, n, c.add), want)
				}
			}
		})
	}
}

// If the evidence is full, the same documents are left out on any number of processors.
func TestReadAheadBounds(t *testing.T) {
	files := fstest.MapFS{}
	for i := range 60 {
		files[fmt.Sprintf("pods/%02d.json", i)] = &fstest.MapFile{Data: sickPods(i, 500)}
		files[fmt.Sprintf("logs/%02d.log", i)] = &fstest.MapFile{Data: []byte(plegLine)}
	}
	add := func(b *collect.Builder) error { return b.AddFS(files) }
	want := readOn(t, 1, add)
	if !strings.Contains(want, "further objects were left out") {
		t.Fatal("all objects have room: there is no bound to test")
	}
	for _, n := range processors[1:] {
		sameEvidence(t, fmt.Sprintf("%d processors", n), readOn(t, n, add), want)
	}
}

// Reading ends when its context is cancelled. What was read until then is used, and the unread files become a gap.
func TestReadAheadEnds(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	stopped := errors.New("somebody stopped it")
	ctx, stop := context.WithCancelCause(context.Background())
	defer stop(nil)
	files := fstest.MapFS{}
	for i := range 200 {
		files[fmt.Sprintf("%03d.log", i)] = &fstest.MapFile{Data: []byte(plegLine)}
	}
	b := collect.NewBuilder(evidence.Source{Kind: "folder"}, builtin(t))
	b.Until(ctx)
	if err := b.AddFS(stoppingFS{files, "100.log", func() { stop(stopped) }}); err != nil {
		t.Fatal(err)
	}
	d := b.Snapshot().Data()
	if len(d.Matches) < 90 {
		t.Errorf("%d matches of the files before, want 90 at least", len(d.Matches))
	}
	last := func(g evidence.Gap) bool {
		return g.Kind == evidence.Everything && strings.HasSuffix(g.What, " on") && strings.Contains(g.Why, stopped.Error())
	}
	if !slices.ContainsFunc(d.Gaps, last) {
		t.Errorf("no gap for the files that were not read: %v", d.Gaps)
	}
}

// stoppingFS calls do when the file at is opened.
type stoppingFS struct {
	fs.FS
	at string
	do func()
}

func (s stoppingFS) Open(name string) (fs.File, error) {
	if name == s.at {
		s.do()
	}
	return s.FS.Open(name)
}

// readOn returns the evidence read with n processors, as JSON, and the secrets replaced in it.
func readOn(t *testing.T, n int, add func(*collect.Builder) error) string {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
	b, redactor := collect.NewBuilder(evidence.Source{Kind: "folder"}, builtin(t)), redact.New(false)
	b.Redact(redactor)
	if err := add(b); err != nil {
		t.Fatal(err)
	}
	out, err := json.MarshalIndent([]any{b.Snapshot().Data(), redactor.Report()}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func sameEvidence(t *testing.T, name, got, want string) {
	t.Helper()
	if got == want {
		return
	}
	lines, wanted := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(lines), len(wanted)) {
		if lines[i] != wanted[i] {
			t.Fatalf("%s: line %d is %s, want %s", name, i+1, lines[i], wanted[i])
		}
	}
	t.Fatalf("%s: %d lines, want %d", name, len(lines), len(wanted))
}

// mixedFolder returns a folder with dumps of all tools, archives, unreadable files, and secrets that each occur in several files.
func mixedFolder(t *testing.T) fstest.MapFS {
	t.Helper()
	out := fstest.MapFS{}
	put := func(name string, data []byte) { out[name] = &fstest.MapFile{Data: data} }
	dumps, err := filepath.Glob("testdata/layouts/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, dump := range dumps {
		a, err := txtar.ParseFile(dump)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			put(path.Join(strings.TrimSuffix(filepath.Base(dump), ".txtar"), f.Name), f.Data)
		}
	}
	for i := range 12 {
		var text strings.Builder
		for n := range 30 {
			fmt.Fprintf(&text, "Jun 02 00:%02d:%02d w%d kubelet[12]: E0602 00:30:01.%06d 12 client.go:7] \"Failed to log in\" password=hunter%d\n", i, n, i%3, n, (7*i+n)%50)
			text.WriteString(plegLine)
		}
		put(fmt.Sprintf("secrets/%02d.log", i), []byte(text.String()))
		put(fmt.Sprintf("secrets/%02d.log.gz", i), gz(t, []byte(text.String())))
	}
	packed := gz(t, noise(20_000))
	put("broken/cut.log.gz", packed[:len(packed)/2])
	put("broken/empty.log", nil)
	put("broken/binary", bytes.Repeat([]byte{0, 1, 2, 3}, 1000))
	put("broken/cut.json", sickPods(99, 10)[:900])
	put("broken/odd.yaml", []byte("apiVersion: v1\nkind: Pod\nmetadata:\n  name: [\n"))
	put("inner/a.zip", zipOf(t, tarEntry{name: "a.log", data: plegLine}, tarEntry{name: "../b.log", data: plegLine}))
	put("inner/a.tar", tarOf(t, tarEntry{name: "a/a.log", data: plegLine}, tarEntry{name: "a/link", link: "a.log", kind: '2'}))
	put("large.log", []byte(strings.Repeat(strings.Repeat("a line without an end ", 3000)+"\n"+plegLine, 40))) // too large to read ahead
	return out
}

func tarOfFolder(t *testing.T, files fstest.MapFS) []byte {
	t.Helper()
	var entries []tarEntry
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			entries = append(entries, tarEntry{name: name, data: string(files[name].Data)})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tarOf(t, entries...)
}

// sickPods returns a list of pods that are not running.
func sickPods(list, n int) []byte {
	var out bytes.Buffer
	out.WriteString(`{"kind": "PodList", "apiVersion": "v1", "metadata": {}, "items": [`)
	for i := range n {
		if i > 0 {
			out.WriteByte(',')
		}
		fmt.Fprintf(&out, `{"metadata": {"name": "p-%d-%d", "namespace": "n"}, "status": {"phase": "Pending", "reason": "token=s3cr3t-%d"}}`, list, i, i%20)
	}
	out.WriteString(`]}`)
	return out.Bytes()
}

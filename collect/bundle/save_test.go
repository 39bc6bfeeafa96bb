package bundle

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/atomicfile"
	"github.com/nodetriage/nodetriage/evidence"
)

// kept returns evidence of two nodes and two texts, with a secret in each kind of part.
func kept(t *testing.T) (*evidence.Snapshot, *Texts) {
	t.Helper()
	texts, err := NewTexts(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { texts.Close() })
	texts.Keep(Text{Source: "worker-2/kubelet.log", Form: FormText}, []byte("second\n"))
	texts.Keep(Text{Source: "worker-1/kubelet.log", Form: FormText}, []byte("password=s3cr3t-text of ann@example.com\nlast line"))
	texts.Keep(Text{Source: "az vm show", Form: FormCloud}, []byte(`{"name":"worker-1","adminPassword":"s3cr3t-cloud"}`))
	s := evidence.New(evidence.Data{
		Source: evidence.Source{Kind: "cluster", Name: "prod"}, TakenAt: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC),
		Coverage: map[evidence.Kind]evidence.Coverage{evidence.Nodes: evidence.Complete},
		Events:   []*evidence.Event{{Object: evidence.NodeSubject("worker-1"), Reason: "Failed", Message: "token=s3cr3t-event"}},
		Gaps:     []evidence.Gap{{What: "events", Why: "forbidden: token=s3cr3t-gap", How: "ask for it"}, {What: "a line", OfText: true}},
	})
	return s, texts
}

// aliases is a Renamer of one name.
type aliases struct{}

func (aliases) Text(s string) string { return strings.ReplaceAll(s, "worker-1", "node-a") }

func (a aliases) Reader(from io.Reader) io.Reader {
	text, err := io.ReadAll(from)
	if err != nil {
		return io.MultiReader(strings.NewReader(string(text)), errorReader{err})
	}
	return strings.NewReader(a.Text(string(text)))
}

type errorReader struct{ err error }

func (r errorReader) Read([]byte) (int, error) { return 0, r.err }

// A bundle has the same files in each form, lists all of them, and has no secret.
func TestSave(t *testing.T) {
	forms := map[string]map[string]string{}
	for _, name := range []string{"b.tar.gz", "b.ZIP", "b" + string(os.PathSeparator)} {
		s, texts := kept(t)
		path := t.TempDir() + string(os.PathSeparator) + name
		if err := Check(path, false); err != nil {
			t.Fatal(err)
		}
		summary, err := Save(t.Context(), path, false, s, texts, Options{Tool: "test", Emails: true})
		if err != nil {
			t.Fatal(err)
		}
		files := unpack(t, path)
		if summary.Files != len(files) || summary.Texts != 3 || len(summary.Replaced) == 0 {
			t.Errorf("%s: %+v for %d files", name, summary, len(files))
		}
		for file, text := range files {
			if strings.Contains(text, "s3cr3t") || strings.Contains(text, "ann@example.com") {
				t.Errorf("%s: %s has a secret: %s", name, file, text)
			}
		}
		listed(t, files)
		forms[name] = files
	}
	for name, files := range forms {
		if !maps.Equal(files, forms["b.tar.gz"]) {
			t.Errorf("%s has %v, the archive %v", name, slices.Sorted(maps.Keys(files)), slices.Sorted(maps.Keys(forms["b.tar.gz"])))
		}
	}
	if got := slices.Sorted(maps.Keys(forms["b.tar.gz"])); !slices.Equal(got, []string{ManifestName, "objects/events.json", "texts/az_vm_show.json", "texts/worker-1/kubelet.log", "texts/worker-2/kubelet.log"}) {
		t.Errorf("files %v", got)
	}
}

// listed compares the manifest with the files.
func listed(t *testing.T, files map[string]string) {
	t.Helper()
	var m Manifest
	if err := json.Unmarshal([]byte(files[ManifestName]), &m); err != nil {
		t.Fatal(err)
	}
	if m.Kind != Kind || m.Tool != "test" || m.Coverage[evidence.Nodes] != evidence.Complete || !m.Redaction.Emails {
		t.Errorf("the manifest is %+v", m)
	}
	if len(m.Gaps) != 1 || m.Gaps[0].What != "events" { // a gap of a text comes back with the text
		t.Errorf("gaps %+v", m.Gaps)
	}
	if len(m.Files) != len(files)-1 {
		t.Errorf("the manifest lists %d of %d files", len(m.Files), len(files)-1)
	}
	for _, f := range m.Files {
		sum := sha256.Sum256([]byte(files[f.Path]))
		if f.Size != int64(len(files[f.Path])) || f.SHA256 != hex.EncodeToString(sum[:]) {
			t.Errorf("%s: the manifest has another size or checksum", f.Path)
		}
	}
}

// Names are replaced in texts, in their file names and in cloud answers.
func TestSaveWithAliases(t *testing.T) {
	s, texts := kept(t)
	path := filepath.Join(t.TempDir(), "b.tar.gz")
	if _, err := Save(t.Context(), path, false, s, texts, Options{Rename: aliases{}}); err != nil {
		t.Fatal(err)
	}
	files := unpack(t, path)
	if _, ok := files["texts/node-a/kubelet.log"]; !ok {
		t.Errorf("files %v", slices.Sorted(maps.Keys(files)))
	}
	if text := files["texts/az_vm_show.json"]; !strings.Contains(text, "node-a") || strings.Contains(text, "worker-1") {
		t.Errorf("the cloud answer is %s", text)
	}
}

// The same evidence gives the same bytes in each order in which texts were kept.
func TestSaveIsReproducible(t *testing.T) {
	var first []byte
	for range 2 {
		s, texts := kept(t)
		slices.Reverse(texts.list)
		path := filepath.Join(t.TempDir(), "b.tar.gz")
		if _, err := Save(t.Context(), path, false, s, texts, Options{}); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if first != nil && string(first) != string(data) {
			t.Error("two bundles of the same evidence differ")
		}
		first = data
	}
}

func TestSaveLeavesNothingBehind(t *testing.T) {
	s, texts := kept(t)
	dir := t.TempDir()
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	for _, name := range []string{"b.tar.gz", "b.zip", "b/"} {
		if _, err := Save(stopped, dir+"/"+name, false, s, texts, Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: cancelled: %v", name, err)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v (%v)", left, err)
	}
	mine := filepath.Join(dir, "mine.tar.gz")
	if err := os.WriteFile(mine, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Save(t.Context(), mine, false, s, texts, Options{}); !errors.Is(err, atomicfile.ErrExists) {
		t.Errorf("a file is there: %v", err)
	}
	if err := Check(mine, false); !errors.Is(err, atomicfile.ErrExists) {
		t.Errorf("Check says %v of it", err)
	}
	if err := Check(dir+"/", false); err == nil {
		t.Error("a folder with files can be replaced")
	}
}

// A full disk is reported when the texts are used, without the name of the temporary file.
func TestSaveReportsTheTemporaryFile(t *testing.T) {
	s, texts := kept(t)
	texts.err = &fs.PathError{Op: "write", Path: "/tmp/.nodetriage-1.tmp", Err: errors.New("no space left on device")}
	_, err := Save(t.Context(), filepath.Join(t.TempDir(), "b.tar.gz"), false, s, texts, Options{})
	if err == nil || !strings.HasSuffix(err.Error(), "no space left on device") || strings.Contains(err.Error(), ".nodetriage-1") {
		t.Errorf("it says %v", err)
	}
}

func TestFolderKeepsInside(t *testing.T) {
	if err := folder(t.TempDir()).put("../outside", 0, strings.NewReader("")); err == nil {
		t.Error("a file outside of the folder was written")
	}
}

// Lines shows the texts by name, with long pieces and without an end of line.
func TestLines(t *testing.T) {
	_, texts := kept(t)
	long := strings.Repeat("x", pieceSize) + "\n"
	texts.Keep(Text{Source: "worker-3/kubelet.log", Form: FormText}, []byte(long+long))
	var got []string
	if err := texts.Lines(func(line string) { got = append(got, line[:min(len(line), 20)]) }); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"worker-1/kubelet.log", "last line", "second", strings.Repeat("x", 20)} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
	if i, j := slices.Index(got, "worker-1/kubelet.log"), slices.Index(got, "worker-2/kubelet.log"); i > j {
		t.Errorf("the texts have the order %q", got)
	}
}

// unpack returns the files of a bundle.
func unpack(t *testing.T, path string) map[string]string {
	t.Helper()
	if IsFolder(path) {
		return filesIn(t, os.DirFS(path))
	}
	if strings.HasSuffix(path, ".ZIP") {
		z, err := zip.OpenReader(path)
		if err != nil {
			t.Fatal(err)
		}
		defer z.Close()
		return filesIn(t, z)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil || h.Mode != 0o600 {
			t.Fatalf("%s has mode %o (%v)", h.Name, h.Mode, err)
		}
		out[h.Name] = string(data)
	}
}

func filesIn(t *testing.T, files fs.FS) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		out[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

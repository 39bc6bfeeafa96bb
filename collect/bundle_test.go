package collect_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/nodetriage/nodetriage/atomicfile"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/collect/bundle"
	"github.com/nodetriage/nodetriage/evidence"
)

// fullEvidence returns a Snapshot with evidence of every kind, and the texts that were kept.
func fullEvidence(t *testing.T) (*evidence.Snapshot, *bundle.Texts) {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/bundle/cluster.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files, err := txtar.FS(archive)
	if err != nil {
		t.Fatal(err)
	}
	texts, err := bundle.NewTexts(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { texts.Close() })
	b := collect.NewBuilder(evidence.Source{Kind: "cluster", Name: "prod", Node: "worker-1"}, builtin(t))
	b.KeepTexts(texts)
	if err := b.AddFS(files); err != nil {
		t.Fatal(err)
	}
	b.Cover(evidence.Nodes, evidence.Complete)
	b.Edit(func(d *evidence.Data, _ *evidence.Templates) {
		d.PodsReadOn = []string{"worker-1"}
		d.PodsReadIn = []string{"shop"}
		d.CloudAnswers = []string{"azure locks"}
		d.Dumps, d.Zone = []string{"dump.txt"}, 5*time.Hour
		d.Kubelets = append(d.Kubelets, &evidence.Kubelet{Node: "worker-2", Refusals: []evidence.KubeletRefusal{
			{Path: "/metrics"}, {Path: "/stats/summary", Status: 500, Text: "dial unix /run/containerd/containerd.sock: connect: connection refused, token=s3cr3t-gap"},
		}})
	})
	b.Gap("events in kube-system", "forbidden: token=s3cr3t-gap", "ask for it")
	return b.Snapshot(), texts
}

func writeBundle(t *testing.T, s *evidence.Snapshot, texts *bundle.Texts) []byte {
	t.Helper()
	var out bytes.Buffer
	if _, err := bundle.Write(context.Background(), &out, s, texts, bundle.Options{Tool: "test", Emails: true}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func readBundle(t *testing.T, bundle []byte) *evidence.Data {
	t.Helper()
	b := collect.NewBuilder(evidence.Source{Kind: "file", Name: "b.tar.gz"}, builtin(t))
	b.AddStream("b.tar.gz", bytes.NewReader(bundle))
	return b.Snapshot().Data()
}

// Every field of the evidence survives a round trip. The fixture fills them all, so that the test covers new fields.
func TestBundleCarriesAllEvidence(t *testing.T) {
	s, texts := fullEvidence(t)
	back := readBundle(t, writeBundle(t, s, texts))
	if source := back.Source.String(); source != "bundle b.tar.gz (labelled cluster prod), node worker-1" {
		t.Errorf("the source is %q", source)
	}
	back.Source.Bundle = ""
	want, got := reflect.ValueOf(s.Data()).Elem(), reflect.ValueOf(back).Elem()
	for i := range want.NumField() {
		name := want.Type().Field(i).Name
		if want.Field(i).IsZero() || want.Field(i).Kind() == reflect.Slice && want.Field(i).Len() == 0 {
			t.Errorf("the fixture has no %s", name)
		}
		if gaps, is := got.Field(i).Interface().([]evidence.Gap); is {
			wantQuotedGaps(t, want.Field(i).Interface().([]evidence.Gap), gaps)
			continue
		}
		w, g := asJSON(t, want.Field(i).Interface()), asJSON(t, got.Field(i).Interface())
		if w == g {
			continue
		}
		// Only values with a secret differ.
		if !strings.Contains(w, "s3cr3t") || !strings.Contains(g, "[redacted-") {
			t.Errorf("%s differs:\n got %s\nwant %s", name, g, w)
		}
	}
}

// wantQuotedGaps checks that gaps come back as text of the bundle, without its advice.
func wantQuotedGaps(t *testing.T, want, got []evidence.Gap) {
	t.Helper()
	if len(want) != len(got) {
		t.Fatalf("%d gaps, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i].What != want[i].What || !strings.HasPrefix(got[i].Why, "the bundle says: forbidden: token=[redacted-") || got[i].How == want[i].How {
			t.Errorf("gap %+v, written as %+v", got[i], want[i])
		}
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// No file of the bundle contains a secret of the fixture. All secrets contain "s3cr3t", in plain text or base64.
func TestBundleHoldsNoSecret(t *testing.T) {
	s, texts := fullEvidence(t)
	for name, content := range filesOf(t, writeBundle(t, s, texts)) {
		for _, secret := range []string{"s3cr3t", "czNjcjN0"} {
			if i := strings.Index(content, secret); i >= 0 {
				t.Errorf("%s holds a secret: ...%s...", name, content[max(0, i-60):min(len(content), i+40)])
			}
		}
	}
}

func TestBundleIsDeterministic(t *testing.T) {
	s, texts := fullEvidence(t)
	first := writeBundle(t, s, texts)
	again, againTexts := fullEvidence(t)
	if !bytes.Equal(first, writeBundle(t, again, againTexts)) {
		t.Error("the same evidence gave other bytes")
	}
}

// The manifest lists every file with its size and checksum, and describes the evidence.
func TestBundleManifest(t *testing.T) {
	s, texts := fullEvidence(t)
	files := filesOf(t, writeBundle(t, s, texts))
	var m struct {
		TakenAt  string            `json:"takenAt"`
		Source   evidence.Source   `json:"source"`
		Server   evidence.Server   `json:"server"`
		Coverage map[string]string `json:"coverage"`
		Gaps     []evidence.Gap    `json:"gaps"`
		Files    []struct {
			Path, SHA256 string
			Size         int64
		} `json:"files"`
	}
	if err := json.Unmarshal([]byte(files["nodetriage-manifest.json"]), &m); err != nil {
		t.Fatal(err)
	}
	if m.TakenAt != "2026-06-02T00:41:00Z" || m.Source.Name != "prod" || m.Source.Node != "worker-1" || m.Server.Version != "v1.33.1-eks-1234567" ||
		m.Coverage["nodes"] != "complete" || m.Coverage["webhookconfigurations"] != "partial" || len(m.Gaps) != 1 || m.Gaps[0].Why != "forbidden: token=[redacted-token-1-8+]" {
		t.Errorf("the manifest says %+v", m)
	}
	if len(m.Files) != len(files)-1 {
		t.Errorf("the manifest lists %d files, there are %d", len(m.Files), len(files)-1)
	}
	for _, f := range m.Files {
		if int64(len(files[f.Path])) != f.Size || len(f.SHA256) != 64 {
			t.Errorf("%s has %d bytes, the manifest says %d", f.Path, len(files[f.Path]), f.Size)
		}
		if strings.HasSuffix(f.Path, ".json") && !json.Valid([]byte(files[f.Path])) {
			t.Errorf("%s is no JSON", f.Path)
		}
	}
}

// A cancelled run leaves no file behind, and does not change an existing one.
func TestSaveBundleLeavesNothingBehind(t *testing.T) {
	s, texts := fullEvidence(t)
	dir := t.TempDir()
	name := filepath.Join(dir, "b.tar.gz")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := bundle.Save(ctx, name, false, s, texts, bundle.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("%d files stayed behind", len(left))
	}
	if err := os.WriteFile(name, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := bundle.Save(context.Background(), name, false, s, texts, bundle.Options{}); !errors.Is(err, atomicfile.ErrExists) {
		t.Errorf("a file is there: %v", err)
	}
	if data, _ := os.ReadFile(name); string(data) != "mine" {
		t.Error("the file was touched")
	}
	if _, err := bundle.Save(context.Background(), name, true, s, texts, bundle.Options{}); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("%d files in the folder, want the bundle alone", len(left))
	}
}

// filesOf unpacks an archive.
func filesOf(t *testing.T, bundle []byte) map[string]string {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(bundle))
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
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if h.Mode != 0o600 {
			t.Errorf("%s has mode %o", h.Name, h.Mode)
		}
		out[h.Name] = string(content)
	}
}

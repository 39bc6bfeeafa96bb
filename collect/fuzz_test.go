package collect_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// Few signatures are enough to find crashes, and much faster.
const fuzzSignatures = `
component: kubelet
signatures:
  - id: kubelet-pleg
    pattern: 'PLEG is not healthy: pleg was last seen active'
    says: pleg-unhealthy
    source: fuzz
`

func fuzzSet(f *testing.F) *signatures.Set {
	f.Helper()
	dir := f.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "kubelet.yaml"), []byte(fuzzSignatures), 0o600); err != nil {
		f.Fatal(err)
	}
	set, err := signatures.Read(os.DirFS(dir))
	if err != nil {
		f.Fatal(err)
	}
	return set
}

// addSeeds adds the members of the dumps with that extension.
func addSeeds(f *testing.F, ext string) {
	f.Helper()
	paths, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if len(file.Data) < 4<<10 && (ext == "" || filepath.Ext(file.Name) == ext) {
				f.Add(file.Data)
			}
		}
	}
}

// readable reads a document and checks that the evidence can be encoded.
func readable(t *testing.T, set *signatures.Set, name string, data []byte) {
	b := collect.NewBuilder(evidence.Source{Kind: "file", Name: name}, set)
	b.AddStream(name, bytes.NewReader(data))
	if _, err := json.Marshal(b.Snapshot().Data()); err != nil {
		t.Error(err)
	}
}

func FuzzAddStream(f *testing.F) {
	set := fuzzSet(f)
	addSeeds(f, "")
	f.Add(gz(f, []byte(plegLine)))
	f.Fuzz(func(t *testing.T, data []byte) { readable(t, set, "nodes.json", data) })
}

func FuzzYAML(f *testing.F) {
	set := fuzzSet(f)
	addSeeds(f, ".yaml")
	f.Fuzz(func(t *testing.T, data []byte) {
		readable(t, set, "pods.yaml", append([]byte("apiVersion: v1\nkind: List\nitems:\n"), data...))
	})
}

func FuzzTar(f *testing.F) {
	set := fuzzSet(f)
	f.Add(tarOf(f, tarEntry{name: "a.log", data: plegLine}, tarEntry{name: "nodes.json", data: `{"kind":"NodeList","items":[]}`}))
	f.Add(tarOf(f, tarEntry{name: "nodetriage-manifest.json", data: `{"apiVersion":"nodetriage.dev/v1alpha1","kind":"Bundle"}`}))
	f.Add(zipOf(f, tarEntry{name: "a.log", data: plegLine}))
	f.Add(sparseTar(plegLine, 4096))
	f.Fuzz(func(t *testing.T, data []byte) { readable(t, set, "a.tar", data) })
}

func FuzzCloudJSON(f *testing.F) {
	set := fuzzSet(f)
	addSeeds(f, ".json")
	f.Add([]byte(`{"error":{"code":"X","message":"{\"error\":{\"code\":\"Y\"}}"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		readable(t, set, "az.json", append([]byte(`{"provisioningState":"Failed","name":"np1_3","properties":`), append(data, '}')...))
	})
}

// FuzzBundle reads the objects of an untrusted bundle.
func FuzzBundle(f *testing.F) {
	set := fuzzSet(f)
	for _, of := range []string{"nodes", "pods", "pdbs", "workloads", "endpoints", "kubelets", "nodereports", "csrs"} {
		f.Add(of, []byte(`{"metadata":{"name":"a"},"spec":{"containers":[{}]},"node":"n"}`))
		f.Add(of, []byte(`null`))
	}
	f.Fuzz(func(t *testing.T, of string, item []byte) {
		name, err := json.Marshal(of)
		if err != nil {
			t.Fatal(err)
		}
		doc := `{"apiVersion":"nodetriage.dev/v1alpha1","kind":"Evidence","of":` + string(name) + `,"items":[` + string(item) + `]}`
		readable(t, set, "objects.json", []byte(doc))
	})
}

// FuzzZip reads the directory and the members of a zip archive, as a file and inside another archive.
func FuzzZip(f *testing.F) {
	set := fuzzSet(f)
	f.Add(zipOf(f, tarEntry{name: "a.log", data: plegLine}, tarEntry{name: "nodes.json", data: `{"kind":"NodeList","items":[]}`}))
	f.Add([]byte("PK\x05\x06\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "a.zip")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		b := collect.NewBuilder(evidence.Source{Kind: "file", Name: path}, set)
		if err := b.AddPath(path); err != nil {
			t.Fatal(err)
		}
		if _, err := json.Marshal(b.Snapshot().Data()); err != nil {
			t.Error(err)
		}
	})
}

// FuzzManifest reads the manifest of an untrusted bundle.
func FuzzManifest(f *testing.F) {
	set := fuzzSet(f)
	f.Add([]byte(`"source":{"kind":"cluster","name":"x"},"gaps":[{"what":"pods","why":"x","how":"x","kind":"pods"}],"files":[{"path":"a","kind":"text"}]`))
	f.Add([]byte(`"gaps":[null],"files":[null],"coverage":{"nodes":"complete"},"takenAt":"2026-01-01T00:00:00Z"`))
	f.Fuzz(func(t *testing.T, fields []byte) {
		manifest := append([]byte(`{"apiVersion":"nodetriage.dev/v1alpha1","kind":"Bundle",`), append(fields, '}')...)
		readable(t, set, "bundle.tar", tarOf(t, tarEntry{name: "nodetriage-manifest.json", data: string(manifest)}, tarEntry{name: "a", data: plegLine}))
	})
}

//go:build linux && !race

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"
)

func gzipped(data []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(data)
	_ = w.Close()
	return out.Bytes()
}

func xzOf(data []byte) []byte {
	var out bytes.Buffer
	w, _ := xz.NewWriter(&out)
	_, _ = w.Write(data)
	_ = w.Close()
	return out.Bytes()
}

// longLines returns lines that compress to a fortieth of their size, no more.
func longLines(size int) []byte {
	var out bytes.Buffer
	for r := rand.New(rand.NewPCG(1, 2)); out.Len() < size; {
		fmt.Fprintf(&out, "%016x%s\n", r.Uint64(), strings.Repeat("x", 500))
	}
	return out.Bytes()
}

func tarred(t *testing.T, headers ...tar.Header) []byte {
	t.Helper()
	return tarOf(t, "kubelet: no space left on device\n", headers...)
}

// tarOf returns an archive in which every file has the same content.
func tarOf(t *testing.T, content string, headers ...tar.Header) []byte {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, h := range headers {
		body := content
		if h.Typeflag != 0 && h.Typeflag != tar.TypeReg {
			body = ""
		}
		h.Size = int64(len(body))
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	_ = w.Close()
	return out.Bytes()
}

// zipOf returns a zip archive with many entries for the same file.
func zipOf(name string, data []byte, entries int, says func(i int, entry []byte)) []byte {
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	f, _ := w.Create(name)
	_, _ = f.Write(data)
	_ = w.Close()
	whole := packed.Bytes()
	at := bytes.LastIndex(whole, []byte("PK\x01\x02"))
	end := bytes.LastIndex(whole, []byte("PK\x05\x06"))
	entry := bytes.Clone(whole[at:end])
	out := bytes.Clone(whole[:at])
	for i := range entries {
		e := bytes.Clone(entry)
		if says != nil {
			says(i, e)
		}
		out = append(out, e...)
	}
	tail := bytes.Clone(whole[end:])
	n := uint16(min(entries, 0xffff))
	binary.LittleEndian.PutUint16(tail[8:], n)
	binary.LittleEndian.PutUint16(tail[10:], n)
	binary.LittleEndian.PutUint32(tail[12:], uint32(len(entry)*entries))
	binary.LittleEndian.PutUint32(tail[16:], uint32(at))
	return append(out, tail...)
}

// hostileArchives are archives with false claims, repetitions or bad references.
func hostileArchives(t *testing.T) (out []hostileFile) {
	add := func(name string, data []byte) { out = append(out, hostileFile{name: name, data: data}) }
	log := []byte(strings.Repeat("kubelet: no space left on device\n", 3000))
	add("zip-overlap.zip", zipOf("a.log", log, 30_000, nil))
	add("zip-wrong-sizes.zip", zipOf("a.log", log, 3, func(i int, e []byte) { binary.LittleEndian.PutUint32(e[24:], []uint32{1, 0xfffffffe, 0}[i]) }))
	add("zip-wrong-sum.zip", zipOf("a.log", log, 2, func(_ int, e []byte) { binary.LittleEndian.PutUint32(e[16:], crc32.ChecksumIEEE([]byte("x"))) }))
	add("zip-offsets.zip", zipOf("a.log", log, 4, func(i int, e []byte) {
		binary.LittleEndian.PutUint32(e[42:], []uint32{0xfffffffe, 7, 100_000, 1 << 31}[i])
	}))
	add("zip-names.zip", zipOf("../../../tmp/x.log", log, 2, nil))
	add("zip-many.zip", zipOf("a", nil, 65_000, nil))
	add("zip-says-more.zip", append(zipOf("a.log", log, 1, nil)[:60], bytes.Repeat([]byte("PK\x05\x06\xff\xff\xff\xff\xff\xff\xff\xff"), 1000)...))
	add("zip-in-zip.zip", zipOf("b.zip", zipOf("a.log", log, 20_000, nil), 2_000, nil))
	add("bomb.gz", gzipped(bytes.Repeat([]byte{0}, 200<<20)))
	add("bomb-lines.gz", gzipped(bytes.Repeat(log, 1000)))
	nested := log
	for range 12 {
		nested = gzipped(nested)
	}
	add("nested.gz", nested)
	add("gzip-cut-off.gz", gzipped(log)[:40])
	add("links.tar", tarred(t, tar.Header{Name: "a", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}, tar.Header{Name: "b", Typeflag: tar.TypeLink, Linkname: "../../x"}, tar.Header{Name: "c", Typeflag: tar.TypeBlock}, tar.Header{Name: "d", Typeflag: tar.TypeChar}, tar.Header{Name: "e", Typeflag: tar.TypeFifo}))
	add("names.tar", tarred(t, tar.Header{Name: "../a.log"}, tar.Header{Name: "/etc/a.log"}, tar.Header{Name: "a\x1b[31m\n.log"}, tar.Header{Name: strings.Repeat("a/", 20_000) + "x.log"}, tar.Header{Name: "same.log"}, tar.Header{Name: "same.log"}, tar.Header{Name: "C:\\x.log"}))
	add("pax.tar", tarred(t, tar.Header{Name: "a.log", PAXRecords: map[string]string{"A.b": strings.Repeat("x", 900_000)}}))
	sparse := tarred(t, tar.Header{Name: "sparse.log", PAXRecords: map[string]string{"NODE.x": "y"}})
	add("sparse.tar.gz", gzipped(bytes.ReplaceAll(sparse, []byte("NODE.x=y"), []byte("GNU.sp=1"))))
	var empties []tar.Header
	for i := range 60_000 {
		empties = append(empties, tar.Header{Name: fmt.Sprintf("d%d/a.log", i)})
	}
	add("many.tar.gz", gzipped(tarred(t, empties...)))
	huge := tarred(t, tar.Header{Name: "a.log"})
	copy(huge[124:136], "\x80\x00\x00\x00\x7f\xff\xff\xff\xff\xff\xff\xff")
	add("size.tar", huge)
	for name, magic := range map[string]string{"a.xz": "\xfd7zXZ\x00", "a.zst": "\x28\xb5\x2f\xfd", "a.7z": "7z\xbc\xaf\x27\x1c", "a.bz2": "BZh91AY&SY"} {
		add(name, append([]byte(magic), bytes.Repeat([]byte{0xff}, 100_000)...))
	}
	manifest := `{"apiVersion":"nodetriage.dev/v1alpha1","kind":"Bundle","coverage":null,"gaps":[null,{"what":"x"}],"redaction":null,"source":null,"takenAt":null,"files":%s}`
	for name, files := range map[string]string{
		"nulls": `[null,{"path":null,"kind":null},null]`, "names": `[{"path":"../x","kind":"objects"},{"path":"/etc/passwd","kind":"text"},{"path":"nodes.json","kind":"objects","of":"nodes","size":-1},{"path":"nodes.json","kind":"cloud"}]`,
		"many": "[" + strings.Repeat(`{"path":"a","kind":"objects"},`, 100_000) + "null]",
	} {
		out = append(out, hostileFile{name: "bundle-" + name, many: map[string][]byte{"nodetriage-manifest.json": fmt.Appendf(nil, manifest, files), "nodes.json": []byte(`{"apiVersion":"nodetriage.dev/v1alpha1","kind":"Evidence","of":"nodes","items":[null,{"metadata":null},{}]}`)}})
	}
	return out
}

// hostileYAML is YAML that is small and becomes large, deep or ambiguous.
func hostileYAML() (out []hostileFile) {
	laughs := "apiVersion: v1\nkind: Pod\na: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
	for i := range 9 {
		laughs += fmt.Sprintf("b%d: &a%d [%s]\n", i, i+1, strings.Repeat(fmt.Sprintf("*a%d,", i), 10))
	}
	for name, text := range map[string]string{
		"laughs": laughs, "laughs-as-exceptions": strings.Replace(laughs, "apiVersion: v1\nkind: Pod\n", "exceptions:\n- cause: x\n", 1),
		"laughs-as-kubeconfig": strings.Replace(laughs, "kind: Pod", "kind: Config", 1),
		"long-text":            "apiVersion: v1\nkind: Pod\na: &t " + strings.Repeat("x", 500_000) + "\nb: [" + strings.Repeat("*t,", 5000) + "]\n",
		"cycle":                "apiVersion: v1\nkind: Pod\nmetadata: &a\n  name: x\n  labels: *a\n", "cycle-list": "kind: Pod\na: &a [*a,*a]\n",
		"merge":     "apiVersion: v1\nkind: Pod\nmetadata: &m {name: p1}\nspec:\n  <<: [*m, *m, *m]\n  <<: *m\n",
		"documents": strings.Repeat("---\nkind: Pod\napiVersion: v1\nmetadata: {name: p1}\n", 20_000), "dashes": "kind: List\n" + strings.Repeat("---\n", 300_000),
		"flow": "apiVersion: v1\nkind: Pod\nspec: " + deep("[", "]", 9_000), "flow-map": "apiVersion: v1\nkind: Pod\nspec: " + deep("{a: ", "}", 9_000),
		"flow-open": "apiVersion: v1\nkind: Pod\nspec: " + strings.Repeat("[", 200_000), "indents": "apiVersion: v1\nkind: List\nitems:\n- " + strings.Repeat("- ", 50_000),
		"keys": "apiVersion: v1\nkind: Pod\nmetadata:\n  ? " + strings.Repeat("k", 100_000) + "\n  : x\n  ? [a, b]\n  : y\n  1: z\n  null: n\n  ~: m\n", "same-keys": "kind: Pod\napiVersion: v1\n" + strings.Repeat("metadata: {name: a}\n", 5000),
		"anchors": "kind: Pod\napiVersion: v1\na:\n" + strings.Repeat("- &a x\n", 100_000), "tags": "kind: Pod\napiVersion: v1\nmetadata: !!python/object/apply:os.system [\"touch " + executed + "\"]\nspec: !!binary aaaa\n",
		"numbers": "kind: Node\napiVersion: v1\nmetadata: {name: n1}\nstatus:\n  capacity:\n    cpu: 1e-2147483648\n    memory: 0x7fffffffffffffffffff\n    pods: .inf\n    x: .nan\n    y: 1_000_000_000_000_000_000_000\n    z: 190:20:30\n",
	} {
		out = append(out, hostileFile{name: "yaml-" + name + ".yaml", data: []byte(text)})
	}
	return out
}

package collect_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
	"golang.org/x/text/encoding/unicode"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
)

const plegLine = `E0602 00:35:00.000001 1 kubelet.go:1] "Skipping pod synchronization" err="PLEG is not healthy: pleg was last seen active 5m3s ago; threshold is 3m0s"` + "\n"

func read(t *testing.T, name string, data []byte) *evidence.Data {
	t.Helper()
	b := collect.NewBuilder(evidence.Source{Kind: "file", Name: name}, builtin(t))
	b.AddStream(name, bytes.NewReader(data))
	return b.Snapshot().Data()
}

// A gap reports the name and the reason of what cannot be read. The rest is used.
func TestHostileInput(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes minutes with the race detector, and its goroutines are those of other tests")
	}
	podList := []byte(`{"kind": "PodList", "apiVersion": "v1", "items": [{"metadata": {"name": "a", "namespace": "n"}}, {"metadata": {"name": "b", "namespace": "n"}}]}`)
	for _, c := range []struct {
		name string
		data []byte
		gap  string // expression for "what: why"; empty: there must be none
		pods int
		text bool // whether a signature must match
	}{
		{"empty.log", nil, `^empty.log: is empty$`, 0, false},
		{"spaces.log", []byte(" \n\t\r\n"), `^spaces.log: is empty$`, 0, false},
		{"binary.bin", bytes.Repeat([]byte{0, 1, 2, 3}, 1000), `^binary.bin: is a binary file`, 0, false},
		{"noise", noise(5000), `^noise: is a binary file`, 0, false},
		{"program", []byte("\x7fELF\x02\x01\x01"), `^program: is a program$`, 0, false},
		{"system.journal", []byte("LPKSHHRH\x00\x00"), `^system.journal: is a journal in systemd's own format$`, 0, false},
		{"cut.json", podList[:len(podList)-30], `^cut.json: cannot be read as objects from line 1 on: it ends in the middle of a value$`, 1, false},
		{"garbage.json", append(bytes.Clone(podList), "}}} what is this\n"+plegLine...), ``, 2, true},
		{"wrong-types.json", []byte(`{"kind": "Pod", "apiVersion": "v1", "metadata": {"name": 5}}`), `^wrong-types.json: line 1: read Pod: `, 0, false},
		{"null-items.json", []byte(`{"kind": "PodList", "apiVersion": "v1", "items": [null, 5, "x", [], {"metadata": {"name": "a"}}]}`), `^null-items.json: the list at line 1 is not as it should be: 4 of its items are no objects$`, 1, false},
		{"deep.json", []byte(strings.Repeat(`{"a":`, 100_000) + strings.Repeat("}", 100_000)), `nested deeper than 1000 levels`, 0, false},
		{"deep-list.json", []byte(strings.Repeat(`[`, 100_000)), `nested deeper than 1000 levels|ends in the middle`, 0, false},
		{"big-number.json", []byte(`{"id": "/subscriptions/x", "count": 1` + strings.Repeat("0", 5000) + `e99999}`), ``, 0, false},
		{"looks-like-json.log", []byte("{node} failed\n" + plegLine), ``, 0, true},
		{"bracket.log", []byte("[  12.345678] " + plegLine), ``, 0, true},
		{"no-items.json", []byte(`{"kind": "NodeList", "apiVersion": "v1", "items": []}`), `^nodes: the list in no-items.json is empty: none was read$`, 0, false},
		{"null.json", []byte(`{"kind": "PodList", "apiVersion": "v1", "items": null}`), `^pods: the list in null.json is empty: none was read$`, 0, false},
		{"map.json", []byte(`{"kind": "NodeList", "apiVersion": "v1", "items": {"a": 1}}`), `^map.json: the list at line 1 is not as it should be: its items are no list$`, 0, false},
		{"no-kind.json", []byte(`{"kind": "List", "apiVersion": "v1", "items": []}`), `^no-kind.json: is an empty list: nothing was read$`, 0, false},
		{"pdbs.json", []byte(`{"kind": "List", "apiVersion": "v1", "items": []}`), ``, 0, false},
		{"kind-last.json", []byte(`{"apiVersion": "v1", "items": [null, 1], "kind": "List"}`), `^kind-last.json: the list at line 1 is not as it should be: 2 of its items are no objects$`, 0, false},
		{"no-items.yaml", []byte("apiVersion: v1\nkind: NodeList\nitems: []\n"), `^nodes: the list in no-items.yaml is empty: none was read$`, 0, false},
		{"map.yaml", []byte("apiVersion: v1\nkind: NodeList\nitems:\n  a: 1\n"), `^map.yaml: the list at line 4 is not as it should be: its items are no list$`, 0, false},
		{"odd.yaml", []byte("apiVersion: v1\nkind: List\nitems:\n- null\n- 1\n- x\n"), `^odd.yaml: 3 of 4 objects cannot be read; the first: line 4: it is not an object$`, 0, false},
		{"inline.yaml", []byte("apiVersion: v1\nkind: PodList\nitems: [{metadata: {name: a}}, {metadata: {name: b}}]\n"), ``, 2, false},
		{"inline-odd.yaml", []byte("apiVersion: v1\nkind: PodList\nitems: [null, {metadata: {name: b}}]\n"), `1 of its items are no objects`, 1, false},
		{"capacity.json", []byte(`{"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "a", "labels": {"5": "x"}}, "spec": {"priority": "high", "containers": [{"name": "c", "resources": {"requests": {"cpu": "abc", "memory": "1Gi"}}}]}}`),
			`^capacity.json: line 1: Pod a: spec.containers\[0\].resources.requests.cpu cannot be read \(it is no quantity\); spec.priority cannot be read \(it is a string\)$`, 1, false},
		{"time.yaml", []byte("apiVersion: v1\nkind: Pod\nmetadata: {name: a, creationTimestamp: yesterday}\n"), `^time.yaml: line 1: Pod a: metadata.creationTimestamp cannot be read`, 1, false},
		{"all-wrong.json", []byte(`{"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "a"}, "spec": {"containers": [` + strings.TrimSuffix(strings.Repeat(`5,`, 1000), ",") + `]}}`), `^all-wrong.json: line 1: read Pod: `, 0, false},
		{"bom.json", append([]byte("\xef\xbb\xbf"), podList...), ``, 2, false},
		{"bom.yaml", []byte("\xef\xbb\xbfapiVersion: v1\nkind: Pod\nmetadata: {name: a}\n"), ``, 1, false},
		{"utf16.json", utf16(t, unicode.UseBOM, string(podList)), ``, 2, false},
		{"utf16-no-mark.json", utf16(t, unicode.IgnoreBOM, string(podList)), ``, 2, false},
		{"utf16.yaml", utf16(t, unicode.UseBOM, "apiVersion: v1\r\nkind: Pod\r\nmetadata: {name: a}\r\n"), ``, 1, false},
		{"bom.log", []byte("\xef\xbb\xbf" + plegLine), ``, 0, true},
		{"coloured.yaml", []byte("\x1b[36mapiVersion\x1b[0m: v1\n\x1b[36mkind\x1b[0m: Pod\nmetadata: {name: \x1b[32ma\x1b[0m}\n"), ``, 1, false},
		{"coloured.log", []byte("\x1b[31m" + plegLine + "\x1b[0m"), ``, 0, true},
		{"utf16.log", utf16(t, unicode.UseBOM, plegLine), ``, 0, true},
		{"utf16-no-mark.log", utf16(t, unicode.IgnoreBOM, plegLine), ``, 0, true},
		{"latin1.log", []byte("caf\xe9 \xff\xfe " + plegLine), ``, 0, true},
		{"long-line.log", append(bytes.Repeat([]byte("x"), 10<<20), " PLEG is not healthy: pleg was last seen active 5m3s ago; threshold is 3m0s\n"...), ``, 0, true},
		{"crlf.yaml", []byte("apiVersion: v1\r\nkind: Pod\r\nmetadata:\r\n  name: a\r\n  namespace: ns1\r\n"), ``, 1, false},
		{"bad.yaml", []byte("apiVersion: v1\nkind: Pod\nmetadata: [\n" + plegLine), `^bad.yaml: line 1: invalid YAML`, 0, true},
		{"bomb.yaml", yamlBomb(), `^bomb.yaml: line 1: invalid YAML: its aliases expand to more than 8 MiB`, 0, false},
		{"items.yaml", []byte("apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: a\n    namespace: ns1\n- {broken\n- kind: Pod\n  metadata: {name: b, namespace: ns1}\nkind: List\n"), `items.yaml: line 8: invalid YAML`, 2, false},
		{"indented.yaml", []byte("kind: PodList\napiVersion: v1\nitems:\n  - metadata:\n      name: a\n  - metadata:\n      name: b\n"), ``, 2, false},
		{"escape\x1b[31m.log", []byte(plegLine), ``, 0, true},
		{"cut.gz", cutGzip(t), `^cut: reading stopped: its archive is truncated$`, 0, true},
		{"not.gz", []byte{0x1f, 0x8b, 1, 2, 3, 4}, `^not.gz: is damaged`, 0, false},
		{"five.gz", gz(t, gz(t, gz(t, gz(t, gz(t, []byte(plegLine)))))), `is packed more than 4 times`, 0, false},
		{"cut.tar", tarOf(t, tarEntry{name: "a.log", data: plegLine}, tarEntry{name: "b.log", data: plegLine})[:1600], `^cut.tar: the archive is damaged or truncated`, 0, true},
		{"links.tar", tarOf(t, tarEntry{name: "../../etc/passwd", data: "x"}, tarEntry{name: "/etc/shadow", data: "x"}, tarEntry{name: "link", link: "/etc/passwd", kind: tar.TypeSymlink},
			tarEntry{name: "hard", link: "a.log", kind: tar.TypeLink}, tarEntry{name: "dev", kind: tar.TypeChar}, tarEntry{name: "fifo", kind: tar.TypeFifo}, tarEntry{name: `C:\x.log`, data: "x"}, tarEntry{name: "a.log", data: plegLine}),
			`^links.tar: left out 7 entries \(links, devices, or paths that lead outside or are too long\)$`, 0, true},
		{"many.tar.gz", gz(t, manyEntries(t, 50_100)), `the archive has more than 20000 entries`, 0, false},
		{"links.zip", zipOf(t, tarEntry{name: "../x.log", data: plegLine}, tarEntry{name: "a.log", data: plegLine}), `^links.zip: left out 1 entry \(a link, a device, or a path that leads outside or is too long\)$`, 0, true},
		{"long-name.tar", tarOf(t, tarEntry{name: strings.Repeat("a/", 3000) + "a.log", data: plegLine}), `^long-name.tar: left out 1 entry`, 0, false},
		{"holes.tar", sparseTar(plegLine+strings.Repeat("a usual line\n", 10_000), 1<<40), `^a.log: reading stopped: it unpacks to more than 128 MiB and 60 times its size$`, 0, true},
		{"holes.tar.gz", gz(t, sparseTar(plegLine+strings.Repeat("a usual line\n", 10_000), 1<<62)), `^a.log: reading stopped: it unpacks to more than 128 MiB and 60 times its size$`, 0, true},
		{"holed.tar", sparseTar(plegLine, 1<<20), `^a.log: is a binary file of an unknown format$`, 0, false},
		{"damaged.zip", []byte("PK\x03\x04 and nothing else"), `^damaged.zip: the archive is damaged`, 0, false},
		{"nested.tar", tarOf(t, tarEntry{name: "inner.tar.gz", data: string(gz(t, tarOf(t, tarEntry{name: "worker-1/kubelet.log", data: plegLine})))}), ``, 0, true},
		{"xz", []byte("\xfd7zXZ\x00\x00\x04"), `^xz: is damaged: `, 0, false},
		{"a.log.xz", xzOf(t, plegLine), ``, 0, true},
		{"folder.tar.zst", zstdOf(t, tarOf(t, tarEntry{name: "worker-1/kubelet.log", data: plegLine})), ``, 0, true},
		{"a.log.zst", zstdOf(t, []byte(plegLine))[:20], `^a.log: cannot be read: its archive is truncated`, 0, false},
		{"manifest.tar", tarOf(t, tarEntry{name: "nodetriage-manifest.json", data: `{"apiVersion": 5}`}, tarEntry{name: "a.log", data: plegLine}), `manifest.json: cannot be read: invalid manifest`, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := read(t, c.name, c.data)
			var gaps []string
			for _, g := range d.Gaps {
				gaps = append(gaps, g.What+": "+g.Why)
			}
			all := strings.Join(gaps, "\n")
			switch {
			case c.gap == "" && len(gaps) > 0 && c.name != "garbage.json":
				t.Errorf("unexpected gaps: %s", all)
			case c.gap != "" && !regexp.MustCompile("(?m)"+c.gap).MatchString(all):
				t.Errorf("no gap like %s in:\n%s", c.gap, all)
			}
			if len(d.Pods) != c.pods {
				t.Errorf("%d pods, want %d", len(d.Pods), c.pods)
			}
			if found := len(d.Matches) > 0; found != c.text {
				t.Errorf("a signature was found: %v, want %v", found, c.text)
			}
		})
	}
}

// sparseTar returns an archive of a log with a hole after the text, up to that size.
func sparseTar(text string, size int64) []byte {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	records := map[string]string{
		"NUG.sparse.map": fmt.Sprintf("0,%d,%d,0", len(text), size), "NUG.sparse.numblocks": "2", "NUG.sparse.size": strconv.FormatInt(size, 10), "NUG.sparse.name": "a.log",
	}
	_ = w.WriteHeader(&tar.Header{Name: "x", Size: int64(len(text)), Typeflag: tar.TypeReg, PAXRecords: records})
	_, _ = io.WriteString(w, text)
	_ = w.Close()
	return bytes.ReplaceAll(out.Bytes(), []byte("NUG.sparse."), []byte("GNU.sparse.")) // the writer refuses this key
}

// Reading of a gzip bomb stops early.
func TestGzipBombEnds(t *testing.T) {
	member := gz(t, bytes.Repeat([]byte(strings.Repeat("a", 65535)+"\n"), (8<<20)/65536))
	packed := bytes.Repeat(member, (700<<20)/(8<<20)) // gzip files may have several members
	d := read(t, "bomb.gz", packed)
	if len(d.Gaps) != 1 || !strings.Contains(d.Gaps[0].Why, "unpacks to more than 128 MiB and 60 times its size") {
		t.Errorf("gaps: %+v", d.Gaps)
	}
}

// A log file whose name starts with a dot is read.
func TestLogWithADot(t *testing.T) {
	b := collect.NewBuilder(evidence.Source{Kind: "folder"}, builtin(t))
	if err := b.AddFS(fstest.MapFS{".openshift_install.log": {Data: []byte(plegLine)}}); err != nil {
		t.Fatal(err)
	}
	if d := b.Snapshot().Data(); len(d.Matches) == 0 {
		t.Error("nothing was read")
	}
}

// A folder with a special file, and with a file that disappears before it is opened.
func TestHostileFolder(t *testing.T) {
	b := collect.NewBuilder(evidence.Source{Kind: "folder"}, builtin(t))
	err := b.AddFS(fstest.MapFS{
		"pipe":        {Mode: 0o600 | 1<<25},
		"a.log":       {Data: []byte(plegLine)},
		".git/config": {Data: []byte(plegLine)},
		".hidden":     {Data: []byte(plegLine)},
		"._a.log":     {Data: []byte(plegLine)},
	})
	if err != nil {
		t.Fatal(err)
	}
	d := b.Snapshot().Data()
	if len(d.Matches) == 0 || slices.ContainsFunc(d.Matches, func(m *evidence.Match) bool { return m.Ref.Source != "a.log" }) || len(d.Gaps) != 1 || d.Gaps[0].What != "pipe" || d.Gaps[0].Why != "is not a regular file" {
		t.Errorf("%d matches, gaps %+v", len(d.Matches), d.Gaps)
	}
}

func utf16(t *testing.T, bom unicode.BOMPolicy, s string) []byte {
	t.Helper()
	out, err := unicode.UTF16(unicode.LittleEndian, bom).NewEncoder().Bytes([]byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func yamlBomb() []byte {
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: Pod\na0: &a0 [x,x,x,x,x,x,x,x,x]\n")
	for i := 1; i < 10; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d,", i-1), 8), i-1)
	}
	return []byte(b.String())
}

func noise(size int) []byte {
	out := make([]byte, size)
	for i, seed := 0, uint32(1); i < size; i++ {
		seed = seed*1664525 + 1013904223
		out[i] = byte(seed >> 24)
	}
	return out
}

func xzOf(t testing.TB, text string) []byte {
	t.Helper()
	var out bytes.Buffer
	z, err := xz.NewWriter(&out)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func zstdOf(t testing.TB, data []byte) []byte {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return z.EncodeAll(data, nil)
}

func gz(t testing.TB, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// cutGzip returns the first half of a compressed log.
func cutGzip(t testing.TB) []byte {
	t.Helper()
	var b strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&b, "%d %x %s", i, i*i*7919, plegLine)
	}
	all := gz(t, []byte(b.String()))
	return all[:len(all)/2]
}

type tarEntry struct {
	name, data, link string
	kind             byte
}

func tarOf(t testing.TB, entries ...tarEntry) []byte {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, e := range entries {
		if e.kind == 0 {
			e.kind = tar.TypeReg
		}
		if err := w.WriteHeader(&tar.Header{Name: e.name, Linkname: e.link, Typeflag: e.kind, Size: int64(len(e.data)), Mode: 0o600}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, e.data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func zipOf(t testing.TB, entries ...tarEntry) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, e := range entries {
		f, err := w.Create(e.name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, e.data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func manyEntries(t testing.TB, n int) []byte {
	t.Helper()
	entries := make([]tarEntry, n)
	for i := range entries {
		entries[i] = tarEntry{name: fmt.Sprintf("f/%d", i), data: "x"}
	}
	return tarOf(t, entries...)
}

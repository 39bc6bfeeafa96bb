package archive

import (
	"archive/zip"
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"aead.dev/minisign"
)

var update = flag.Bool("update", false, "record an archive of the newest format, once, with its key")

func pair(t testing.TB) (*Signer, *Key) {
	t.Helper()
	public, private, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return &Signer{private}, &Key{public}
}

var (
	ours = Manifest{Name: "acme", Version: "3"}
	some = fstest.MapFS{
		"causes/a.md":       {Data: []byte("a page")},
		"signatures/a.yaml": {Data: []byte("component: a")},
		"symptoms.yaml":     {Data: []byte("symptoms: []")},
		"README.md":         {Data: []byte("no knowledge")},
	}
)

func written(t testing.TB, m Manifest, files fs.FS, s *Signer) []byte {
	t.Helper()
	data, err := Write(m, files, s)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func refused(t *testing.T, data []byte, key *Key, why string) {
	t.Helper()
	if _, err := Read(data, key); err == nil || !strings.Contains(err.Error(), why) {
		t.Errorf("%v, want %q", err, why)
	}
}

func TestRoundTrip(t *testing.T) {
	s, k := pair(t)
	data := written(t, ours, some, s)
	if !bytes.Equal(data, written(t, ours, some, s)) {
		t.Error("the same files gave other bytes")
	}
	a, err := Read(data, k)
	if err != nil {
		t.Fatal(err)
	}
	if a.Name != "acme" || a.Version != "3" || a.Format != Format || a.SignedBy != k.ID() || !a.Checked || !strings.HasPrefix(a.Digest, "sha256:") {
		t.Errorf("read %+v", a)
	}
	page, err := fs.ReadFile(a.Files, "causes/a.md")
	if err != nil || string(page) != "a page" {
		t.Errorf("causes/a.md is %q, %v", page, err)
	}
	if _, err := fs.Stat(a.Files, "README.md"); err == nil {
		t.Error("what is no knowledge was packed")
	}
	again, err := ParseKey(k.Text())
	if err != nil || again.ID() != k.ID() {
		t.Errorf("the key's text gave %v, %v", again, err)
	}
}

// A change of any bit of the file is detected.
func TestEveryByteCounts(t *testing.T) {
	s, k := pair(t)
	data := written(t, ours, some, s)
	for i := range data {
		changed := bytes.Clone(data)
		changed[i] ^= 1
		if _, err := Read(changed, k); err == nil {
			t.Fatalf("byte %d of %d can be changed", i, len(data))
		}
	}
	for n := range data {
		if _, err := Read(data[:n], k); err == nil {
			t.Fatalf("the first %d of %d bytes are taken for the whole", n, len(data))
		}
	}
	refused(t, append(bytes.Clone(data), 0), k, "changed")
}

// Without a signature, or without its key, the checksums of the contents detect damage, and it is reported as damage.
func TestDamage(t *testing.T) {
	data := written(t, ours, some, nil)
	good, err := Read(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	const page = "causes/a.md"
	told := 0
	for i := range data {
		changed := bytes.Clone(data)
		changed[i] ^= 1
		a, err := Read(changed, nil)
		if err != nil {
			told++
			continue
		}
		was, _ := fs.ReadFile(good.Files, page)
		if is, err := fs.ReadFile(a.Files, page); err != nil || !bytes.Equal(was, is) {
			t.Errorf("byte %d: %s is %q, %v, and the archive was taken", i, page, is, err)
		}
		if a.Digest == good.Digest {
			t.Errorf("byte %d: the digest is the same", i)
		}
	}
	if told < len(data)/2 {
		t.Errorf("of %d changed bytes %d were found", len(data), told)
	}
	packed, _, err := split(data)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(packed, []byte(page)) + len(page) + 1 // within what is compressed
	packed[at] ^= 0xff
	if _, _, err := unpack(packed); !errors.Is(err, errChanged) {
		t.Errorf("a damaged file: %v", err)
	}
}

func TestWhoSigned(t *testing.T) {
	s, k := pair(t)
	_, other := pair(t)
	signed, unsigned := written(t, ours, some, s), written(t, ours, some, nil)
	refused(t, signed, other, "key "+k.ID()+" signed it, and not key "+other.ID())
	refused(t, unsigned, k, "it is not signed")
	for _, data := range [][]byte{signed, unsigned} {
		a, err := Read(data, nil)
		if err != nil || a.Checked {
			t.Errorf("whoever signed it: %+v, %v", a, err)
		}
	}
	// The signature of another archive does not fit.
	packed, _, err := split(written(t, Manifest{Name: "acme", Version: "4"}, some, nil))
	if err != nil {
		t.Fatal(err)
	}
	_, signature, err := split(signed)
	if err != nil {
		t.Fatal(err)
	}
	mixed, err := join(packed, signature)
	if err != nil {
		t.Fatal(err)
	}
	refused(t, mixed, k, "it was changed after key "+k.ID()+" signed it")
}

// zipped packs files unchanged, which Write would not do.
func zipped(t *testing.T, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w, err := z.Create(files[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(files[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := join(b.Bytes(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func manifest(m Manifest) string {
	text, _ := json.Marshal(m)
	return string(text)
}

func TestRefused(t *testing.T) {
	good := manifest(Manifest{Format: 1, Name: "acme", Version: "3"})
	for _, c := range []struct {
		why   string
		files []string
	}{
		{"format 2, and this program reads formats up to 1: take a newer nodetriage", []string{manifestName, manifest(Manifest{Format: 2, Name: "x", Version: "1"}), "new/thing", ""}},
		{"formats begin with 1", []string{manifestName, `{"name":"x","version":"1"}`}},
		{"another name than built-in", []string{manifestName, manifest(Manifest{Format: 1, Name: "Built-In", Version: "1"})}},
		{"its version", []string{manifestName, manifest(Manifest{Format: 1, Name: "x", Version: "1\n2"})}},
		{"as its first file", []string{"causes/a.md", "", manifestName, good}},
		{"as its first file", nil},
		{"knowledge.json in it", []string{manifestName, "["}},
		{`"../causes/a.md" in it is no file of knowledge`, []string{manifestName, good, "../causes/a.md", ""}},
		{`"/causes/a.md" in it`, []string{manifestName, good, "/causes/a.md", ""}},
		{`"causes/../../a.md" in it`, []string{manifestName, good, "causes/../../a.md", ""}},
		{`"causes\\a.md" in it`, []string{manifestName, good, `causes\a.md`, ""}},
		{`"causes/" in it`, []string{manifestName, good, "causes/", ""}},
		{`"knowledge.json" in it`, []string{manifestName, good, manifestName, good}},
		{"causes/a.md is in it twice", []string{manifestName, good, "causes/a.md", "a", "causes/a.md", "b"}},
		{"causes/a.md in it is larger than 4 MiB", []string{manifestName, good, "causes/a.md", strings.Repeat("a", maxFile+1)}},
	} {
		refused(t, zipped(t, c.files...), nil, c.why)
	}
	many, large := []string{manifestName, good}, []string{manifestName, good}
	for i := range maxFiles {
		many = append(many, fmt.Sprintf("causes/%d.md", i), "")
	}
	refused(t, zipped(t, many...), nil, "files, more than")
	for i := range 1 + maxUnpacked/maxFile {
		large = append(large, fmt.Sprintf("causes/%d.md", i), strings.Repeat("a", maxFile))
	}
	refused(t, zipped(t, large...), nil, "larger than 64 MiB")
	refused(t, make([]byte, MaxSize+1), nil, "larger than 16 MiB")
	refused(t, []byte("hello"), nil, "it is no archive of knowledge")
	refused(t, nil, nil, "it is no archive of knowledge")
}

// A file that is larger than its declared size is not read further, and the archive is rejected.
func TestUnderstatedSize(t *testing.T) {
	packed, _, err := split(zipped(t, manifestName, manifest(Manifest{Format: 1, Name: "acme", Version: "3"}), "causes/a.md", strings.Repeat("a", 1<<20)))
	if err != nil {
		t.Fatal(err)
	}
	size := []byte{0, 0, 16, 0} // 1 MiB
	at := bytes.LastIndex(packed, size)
	if at < 0 {
		t.Fatal("the size is not found")
	}
	copy(packed[at:], []byte{16, 0, 0, 0})
	if _, _, err := unpack(packed); !errors.Is(err, errChanged) {
		t.Errorf("a file that is larger than it says: %v", err)
	}
}

func TestWriteRefuses(t *testing.T) {
	for why, files := range map[string]fstest.MapFS{
		"it has no causes": {"README.md": {Data: []byte("x")}},
		"no file of know":  {"causes/-a.md": {Data: []byte("x")}},
	} {
		if _, err := Write(ours, files, nil); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%v, want %q", err, why)
		}
	}
	if _, err := Write(Manifest{Name: "a b", Version: "1"}, some, nil); err == nil {
		t.Error("a name with a space is taken")
	}
}

func TestKeys(t *testing.T) {
	_, private, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	// The form of a key with a password, without one: to make one takes a gigabyte.
	head := append([]byte("EdScB2"), make([]byte, 152)...)
	locked := "untrusted comment: minisign encrypted secret key\n" + base64.StdEncoding.EncodeToString(head) + "\n"
	if _, err := ParseSigner([]byte(locked)); err == nil || !strings.Contains(err.Error(), "minisign -G -W") {
		t.Errorf("a key with a password: %v", err)
	}
	text, err := private.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ParseSigner(text); err != nil {
		t.Error(err)
	}
	if _, err := ParseKey(text); err == nil {
		t.Error("a private key is taken for a public one")
	}
	if _, err := ParseSigner([]byte("hello")); err == nil {
		t.Error("no key is taken for one")
	}
}

// Archives of every earlier format stay readable forever, as docs/stability.md promises.
func TestRecorded(t *testing.T) {
	if *update {
		s, k := pair(t)
		name := fmt.Sprintf("testdata/format-%d.", Format)
		if err := os.WriteFile(name+"tar", written(t, ours, os.DirFS("testdata/ours"), s), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name+"pub", k.Text(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for format := 1; format <= Format; format++ {
		name := fmt.Sprintf("testdata/format-%d.", format)
		data, err := os.ReadFile(name + "tar")
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(name + "pub")
		if err != nil {
			t.Fatal(err)
		}
		k, err := ParseKey(text)
		if err != nil {
			t.Fatal(err)
		}
		a, err := Read(data, k)
		if err != nil {
			t.Fatalf("format %d: %v", format, err)
		}
		if page, err := fs.ReadFile(a.Files, "causes/frobnicator-loose.md"); err != nil || !bytes.Contains(page, []byte("id: frobnicator-loose")) {
			t.Errorf("format %d: %v", format, err)
		}
	}
}

// For all bytes, reading ends within limits, with an archive or with an error.
func FuzzRead(f *testing.F) {
	s, _ := pair(f)
	f.Add(written(f, ours, some, s))
	f.Add(written(f, ours, some, nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := Read(data, nil)
		if err != nil {
			return
		}
		_ = fs.WalkDir(a.Files, ".", func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return nil
			}
			if !knownFile.MatchString(name) && name != manifestName {
				t.Errorf("%q is no file of knowledge", name)
			}
			if data, err := fs.ReadFile(a.Files, name); err == nil && len(data) > maxFile {
				t.Errorf("%s has %d bytes", name, len(data))
			}
			return nil
		})
	})
}

// The inner archive is fuzzed separately, because no change of it would pass the comparison with the packed bytes.
func FuzzUnpack(f *testing.F) {
	packed, _, err := split(written(f, ours, some, nil))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(packed)
	f.Fuzz(func(t *testing.T, packed []byte) {
		_, files, err := unpack(packed)
		if err != nil {
			return
		}
		_ = fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				if data, err := fs.ReadFile(files, name); err == nil && len(data) > maxFile {
					t.Errorf("%s has %d bytes", name, len(data))
				}
			}
			return nil
		})
	})
}

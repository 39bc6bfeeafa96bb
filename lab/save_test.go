//go:build linux

package lab

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"testing"
	"time"
)

// Kernel messages for an earlier node of the host are removed; everything else remains.
func TestSavedSince(t *testing.T) {
	const before, after = "2026-03-01T09:59:59Z kernel: [    1.0] old\n", "2026-03-01T10:00:00Z kernel: [    2.0] new\n"
	var archive bytes.Buffer
	zipped := gzip.NewWriter(&archive)
	to := tar.NewWriter(zipped)
	for name, text := range map[string]string{"node-w1/dmesg.log": before + after, "node-w1/journal.log": before} {
		if err := to.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(text)), Typeflag: tar.TypeReg}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(to, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	own, err := since(archive.Bytes(), time.Date(2026, 3, 1, 10, 0, 0, 500, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(own))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for files := tar.NewReader(unzipped); ; {
		h, err := files.Next()
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(files)
		if err != nil {
			t.Fatal(err)
		}
		got[h.Name] = string(text)
	}
	if len(got) != 2 || got["node-w1/dmesg.log"] != after || got["node-w1/journal.log"] != before {
		t.Errorf("it holds %q", got)
	}
}

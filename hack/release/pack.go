package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"path"
	"time"
)

// entry is a file of an archive.
type entry struct {
	name string
	mode int64 // of Unix
	data []byte
}

// tarball packs files in the order given, all with one time and the owner root, so that the same files give the same bytes.
func tarball(entries []entry, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(z)
	for _, e := range entries {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: e.name, Mode: e.mode, Size: int64(len(e.data)), ModTime: at, Uname: "root", Gname: "root", Format: tar.FormatUSTAR}
		if e.data == nil {
			h.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(e.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// zipped packs files as tarball does, for Windows.
func zipped(entries []entry, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		f, err := w.CreateHeader(&zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: at.UTC()})
		if err != nil {
			return nil, err
		}
		if _, err := f.Write(e.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// folders puts before the files of a package the folders that they lie in, as dpkg wants them.
func folders(entries []entry) []entry {
	var out []entry
	seen := map[string]bool{".": true, "/": true}
	var add func(dir string)
	add = func(dir string) {
		if seen[dir] {
			return
		}
		add(path.Dir(dir))
		seen[dir] = true
		out = append(out, entry{name: "./" + dir + "/", mode: 0o755})
	}
	for _, e := range entries {
		add(path.Dir(e.name))
		out = append(out, entry{name: "./" + e.name, mode: e.mode, data: e.data})
	}
	return out
}

// deb is a package of Debian: an ar archive with a version, a tar of what dpkg must know, and a tar of the files.
func deb(control, files []entry, at time.Time) ([]byte, error) {
	meta, err := tarball(folders(control), at)
	if err != nil {
		return nil, err
	}
	data, err := tarball(folders(files), at)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString("!<arch>\n")
	for _, m := range []entry{{name: "debian-binary", data: []byte("2.0\n")}, {name: "control.tar.gz", data: meta}, {name: "data.tar.gz", data: data}} {
		fmt.Fprintf(&b, "%-16s%-12d%-6d%-6d%-8s%-10d`\n", m.name, at.Unix(), 0, 0, "100644", len(m.data))
		b.Write(m.data)
		if len(m.data)%2 == 1 {
			b.WriteByte('\n')
		}
	}
	return b.Bytes(), nil
}

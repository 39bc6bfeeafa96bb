package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"time"
)

// entry is a file of an archive.
type entry struct {
	name string
	mode int64 // of the file
	data []byte
}

// tarball packs files in the given order, all with the same time and the owner root, so that the same files give the same
// bytes.
func tarball(entries []entry, at time.Time) ([]byte, error) {
	data, err := tarred(entries, at)
	if err != nil {
		return nil, err
	}
	return gzipped(data)
}

// tarred returns an uncompressed tarball.
func tarred(entries []entry, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
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
	err := w.Close()
	return b.Bytes(), err
}

func gzipped(data []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(data); err != nil {
		return nil, err
	}
	err = z.Close()
	return b.Bytes(), err
}

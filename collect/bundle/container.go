package bundle

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// container holds the files of a bundle: an archive or a folder.
type container interface {
	put(name string, size int64, r io.Reader) error
	close() error
}

type tarGz struct {
	gzip *gzip.Writer
	tar  *tar.Writer
	at   time.Time
}

func newTarGz(w io.Writer, at time.Time) *tarGz {
	z := gzip.NewWriter(w)
	return &tarGz{z, tar.NewWriter(z), at}
}

func (c *tarGz) put(name string, size int64, r io.Reader) error {
	h := tar.Header{Name: name, Mode: 0o600, Size: size, ModTime: c.at, Typeflag: tar.TypeReg, Format: tar.FormatPAX}
	if err := c.tar.WriteHeader(&h); err != nil {
		return err
	}
	_, err := io.Copy(c.tar, r)
	return err
}

func (c *tarGz) close() error {
	if err := c.tar.Close(); err != nil {
		return err
	}
	return c.gzip.Close()
}

type zipped struct {
	zip *zip.Writer
	at  time.Time
}

func (c *zipped) put(name string, _ int64, r io.Reader) error {
	h := zip.FileHeader{Name: name, Method: zip.Deflate}
	if !c.at.IsZero() {
		h.Modified = c.at
	}
	h.SetMode(0o600)
	w, err := c.zip.CreateHeader(&h)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, r)
	return err
}

func (c *zipped) close() error { return c.zip.Close() }

// folder is a folder that only its owner can read.
type folder string

func (dir folder) put(name string, _ int64, r io.Reader) error {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return fmt.Errorf("%s: not a path inside the bundle", name)
	}
	path := filepath.Join(string(dir), filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	return errors.Join(err, f.Sync(), f.Close())
}

func (dir folder) close() error { return nil }

//go:build linux

package story

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
)

const (
	packed = ".tar.zst" // a story with its looks as one file
	window = 64 << 20   // bytes: a look is nearly the same as the previous one
)

// Pack writes each story whose looks are stored in dir to one file in to, with the current answers. Compressed files
// are unpacked first, so that data that two looks share is stored once.
func Pack(stories []*Played, dir, to string) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for _, p := range stories {
		looks := filepath.Join(dir, p.Story.Name)
		if err := errors.Join(p.save(looks), packOne(looks, filepath.Join(to, p.Story.Name+packed))); err != nil {
			return fmt.Errorf("pack %s: %w", looks, err)
		}
	}
	return nil
}

func packOne(dir, file string) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := zstd.NewWriter(f, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(window), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	err = fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := content(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		head := tar.Header{Name: strings.TrimSuffix(name, ".gz"), Size: int64(len(text)), Mode: 0o644, ModTime: time.Unix(0, 0)}
		if err := t.WriteHeader(&head); err != nil {
			return err
		}
		_, err = t.Write(text)
		return err
	})
	return errors.Join(err, t.Close(), z.Close(), f.Close())
}

// content returns the content of a file, unpacked if its name ends with .gz.
func content(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if filepath.Ext(name) != ".gz" {
		return io.ReadAll(f)
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// Open returns the folder in which Load finds the stories of dir: dir itself, or a new folder with the unpacked
// stories. Done removes it.
func Open(dir string) (folder string, done func(), err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*"+packed))
	if err != nil || len(files) == 0 {
		return dir, func() {}, err
	}
	if folder, err = os.MkdirTemp("", "nodetriage-stories-"); err != nil {
		return "", nil, err
	}
	done = func() { _ = os.RemoveAll(folder) }
	for _, file := range files {
		if err := unpackOne(file, filepath.Join(folder, strings.TrimSuffix(filepath.Base(file), packed))); err != nil {
			done()
			return "", nil, fmt.Errorf("unpack %s: %w", file, err)
		}
	}
	return folder, done, nil
}

func unpackOne(file, to string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := zstd.NewReader(f, zstd.WithDecoderMaxWindow(window))
	if err != nil {
		return err
	}
	defer z.Close()
	return untar(z, to, "")
}

// untar writes the files of an archive to a folder, except one.
func untar(in io.Reader, dir, without string) error {
	for r := tar.NewReader(in); ; {
		head, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case head.Name == without || !filepath.IsLocal(head.Name):
			continue
		}
		text, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		name := filepath.Join(dir, head.Name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, text, 0o644)); err != nil {
			return err
		}
	}
}

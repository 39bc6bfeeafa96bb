package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/packed"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// The sources of what the program carries.
const (
	catalogFolder    = "knowledge/catalog"
	signaturesFolder = "knowledge/signatures/data"
	examplesFolder   = "cmd/nodetriage/examples"
)

// carried returns the files that the program carries, compressed, by their path from docs.
func carried() (map[string][]byte, error) {
	out := map[string][]byte{}
	for _, c := range []struct {
		file, folder string
		generate     func(fs.FS) ([]byte, error)
	}{
		{"../knowledge/catalog/builtin.json.gz", catalogFolder, catalog.Generate},
		{"../knowledge/signatures/builtin.json.gz", signaturesFolder, signatures.Generate},
	} {
		text, err := c.generate(os.DirFS(c.folder))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.folder, err)
		}
		if out[c.file], err = packed.Pack(text); err != nil {
			return nil, fmt.Errorf("%s: %w", c.file, err)
		}
	}
	examples, err := zipped(os.DirFS(examplesFolder), "*.txtar")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", examplesFolder, err)
	}
	out["../cmd/nodetriage/examples.zip"] = examples
	return out, nil
}

// zipped returns an archive of files without times, so that the same files give the same bytes.
func zipped(files fs.FS, pattern string) ([]byte, error) {
	names, err := fs.Glob(files, pattern)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	w.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) { return flate.NewWriter(out, flate.BestCompression) })
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
		if err != nil {
			return nil, err
		}
		if _, err := f.Write(data); err != nil {
			return nil, err
		}
	}
	err = w.Close()
	return b.Bytes(), err
}

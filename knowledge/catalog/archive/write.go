package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// The two parts of the archive.
const (
	packedName    = "knowledge.zip"
	signatureName = "knowledge.zip.minisig"
)

// patterns match the knowledge files of a folder, as --catalog reads them.
var patterns = []string{"causes/*.md", "questions/*.md", "signatures/*.yaml", "symptoms.yaml"}

// Write writes the archive of a folder. The same files give the same bytes. A nil signer writes no signature.
func Write(m Manifest, files fs.FS, signer *Signer) ([]byte, error) {
	m.Format = Format
	if err := m.check(); err != nil {
		return nil, err
	}
	packed, err := pack(m, files)
	if err != nil {
		return nil, err
	}
	if _, _, err := unpack(packed); err != nil {
		return nil, err
	}
	var signature []byte
	if signer != nil {
		signature = signer.sign(packed, m)
	}
	data, err := join(packed, signature)
	if err == nil && len(data) > MaxSize {
		err = fmt.Errorf("it is larger than %d MiB", MaxSize>>20)
	}
	return data, err
}

func pack(m Manifest, files fs.FS) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	add := func(name string, data []byte) error {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate}) // without a time
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	}
	head, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	if err := add(manifestName, append(head, '\n')); err != nil {
		return nil, err
	}
	var names []string
	for _, pattern := range patterns {
		found, err := fs.Glob(files, pattern)
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	if len(names) == 0 {
		return nil, errors.New("it has no causes/*.md, questions/*.md, signatures/*.yaml or symptoms.yaml")
	}
	slices.Sort(names)
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		if err := add(name, data); err != nil {
			return nil, err
		}
	}
	err = z.Close()
	return b.Bytes(), err
}

// join returns the archive of its parts.
func join(packed, signature []byte) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, part := range []struct {
		name string
		data []byte
	}{{packedName, packed}, {signatureName, signature}} {
		if part.data == nil {
			continue
		}
		h := &tar.Header{Typeflag: tar.TypeReg, Name: part.name, Mode: 0o644, Size: int64(len(part.data)), Format: tar.FormatUSTAR}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(part.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

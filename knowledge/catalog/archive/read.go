package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// Read reads an archive signed by the key. A nil key accepts any signer, or no signature.
func Read(data []byte, key *Key) (*Archive, error) {
	if len(data) > MaxSize {
		return nil, fmt.Errorf("it is larger than %d MiB", MaxSize>>20)
	}
	packed, signature, err := split(data)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	a := &Archive{Digest: "sha256:" + hex.EncodeToString(sum[:]), Checked: key != nil}
	if signature != nil {
		s, err := parseSignature(signature)
		if err != nil {
			return nil, err
		}
		a.SignedBy = keyID(s.KeyID)
	}
	if key != nil {
		if signature == nil {
			return nil, errors.New("it is not signed")
		}
		if err := key.checks(packed, signature, a.SignedBy); err != nil {
			return nil, err
		}
	}
	if a.Manifest, a.Files, err = unpack(packed); err != nil {
		return nil, err
	}
	return a, nil
}

// split separates the parts of the file. It accepts only the exact bytes that join writes, so that every change is detected.
func split(data []byte) (packed, signature []byte, err error) {
	r := tar.NewReader(bytes.NewReader(data))
	parts := map[string][]byte{}
	for len(parts) < 3 {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, errChanged
		}
		if parts[h.Name], err = io.ReadAll(io.LimitReader(r, MaxSize)); err != nil {
			return nil, nil, errChanged
		}
	}
	packed, signature = parts[packedName], parts[signatureName]
	again, err := join(packed, signature)
	if err != nil || !bytes.Equal(again, data) {
		return nil, nil, errChanged
	}
	return packed, signature, nil
}

// unpack reads knowledge.zip.
func unpack(packed []byte) (Manifest, fs.FS, error) {
	z, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		return Manifest{}, nil, errChanged
	}
	m, err := manifestOf(z)
	if err != nil {
		return Manifest{}, nil, err
	}
	if len(z.File) > maxFiles {
		return Manifest{}, nil, fmt.Errorf("it has %d files, more than %d", len(z.File), maxFiles)
	}
	total, seen := uint64(0), map[string]bool{}
	for _, f := range z.File[1:] {
		total += f.UncompressedSize64
		switch {
		case !knownFile.MatchString(f.Name) || !f.Mode().IsRegular():
			return Manifest{}, nil, fmt.Errorf("%q in it is no file of knowledge", f.Name)
		case seen[f.Name]:
			return Manifest{}, nil, fmt.Errorf("%s is in it twice", f.Name)
		case f.UncompressedSize64 > maxFile:
			return Manifest{}, nil, fmt.Errorf("%s in it is larger than %d MiB", f.Name, maxFile>>20)
		case total > maxUnpacked:
			return Manifest{}, nil, fmt.Errorf("its files are larger than %d MiB", maxUnpacked>>20)
		}
		if err := whole(f); err != nil {
			return Manifest{}, nil, err
		}
		seen[f.Name] = true
	}
	return m, z, nil
}

// whole reads a file to its end, so that damage is reported as damage and not as invalid content.
func whole(f *zip.File) error {
	r, err := f.Open()
	if err != nil {
		return errChanged
	}
	defer r.Close()
	if _, err := io.Copy(io.Discard, r); err != nil {
		return errChanged
	}
	return nil
}

// manifestOf reads the manifest first, because a newer format may have other files.
func manifestOf(z *zip.Reader) (m Manifest, err error) {
	if len(z.File) == 0 || z.File[0].Name != manifestName || z.File[0].UncompressedSize64 > maxFile {
		return m, fmt.Errorf("it has no %s as its first file", manifestName)
	}
	data, err := fs.ReadFile(z, manifestName)
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	if err != nil {
		return m, fmt.Errorf("%s in it: %w", manifestName, err)
	}
	return m, m.check()
}

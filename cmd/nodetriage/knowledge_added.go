package main

import (
	"errors"
	"io/fs"
	"os"

	"github.com/nodetriage/nodetriage/catalog"
	"github.com/nodetriage/nodetriage/catalog/archive"
	"github.com/nodetriage/nodetriage/signatures"
)

// addition is knowledge beside that of the program.
type addition struct {
	path     string // where it was read
	origin   catalog.Origin
	files    fs.FS
	complete bool // its signatures stand in place of those before
}

// signatures are its own; nil: it has none.
func (a addition) signatures() (*signatures.Set, error) {
	sub, err := fs.Sub(a.files, "signatures")
	if err != nil {
		return nil, err
	}
	if _, err := fs.Stat(sub, "."); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return signatures.Read(sub)
}

// openAddition reads a folder, or an archive by the key that the user names.
func openAddition(path, key string) (addition, error) {
	info, err := os.Stat(path)
	if err != nil {
		return addition{}, usagef("read catalog %s: %w", path, errors.Unwrap(err))
	}
	if info.IsDir() {
		return addition{path: path, origin: catalog.Origin{Name: path}, files: os.DirFS(path)}, nil
	}
	by, err := trustedKey(key)
	if err != nil {
		return addition{}, err
	}
	a, _, err := readArchive(path, by)
	if err != nil {
		return addition{}, err
	}
	return ofArchive(path, a), nil
}

func ofArchive(path string, a *archive.Archive) addition {
	origin := catalog.Origin{Name: a.Name, Version: a.Version, Digest: a.Digest}
	if a.Checked {
		origin.SignedBy = a.SignedBy
	}
	return addition{path: path, origin: origin, files: a.Files, complete: a.Complete}
}

// readArchive reads an archive and returns its bytes too; a nil key takes it from whomever.
func readArchive(path string, key *archive.Key) (*archive.Archive, []byte, error) {
	data, err := readFile(path, archive.MaxSize)
	if err != nil {
		return nil, nil, usagef("read knowledge %s: %w", path, err)
	}
	a, err := archive.Read(data, key)
	if err != nil {
		return nil, nil, usagef("read knowledge %s: %w", path, err)
	}
	return a, data, nil
}

// anyKey is what --key is for archives of whomever.
const anyKey = "none"

// trustedKey is the key of a file, or that of knowledge use where the user names none; nil: whoever signed is taken.
func trustedKey(file string) (*archive.Key, error) {
	switch file {
	case anyKey:
		return nil, nil
	case "":
		key, err := pinnedKey()
		if err == nil && key == nil {
			err = usagef("an archive of knowledge needs the public key of who made it: name its file by --key (--catalog-key beside --catalog); none takes it from whomever")
		}
		return key, err
	}
	return readKey(file)
}

func readKey(file string) (*archive.Key, error) {
	text, err := readFile(file, maxKey)
	if err != nil {
		return nil, usagef("read key %s: %w", file, err)
	}
	key, err := archive.ParseKey(text)
	if err != nil {
		return nil, usagef("read key %s: %w", file, err)
	}
	return key, nil
}

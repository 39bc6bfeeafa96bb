package main

import (
	"errors"
	"os"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/catalog/archive"
)

// openAddition reads a folder, or an archive that must match the key that the user names.
func openAddition(path, key string) (ask.Addition, error) {
	info, err := os.Stat(path)
	if err != nil {
		return ask.Addition{}, usagef("read catalog %s: %w", path, errors.Unwrap(err))
	}
	if info.IsDir() {
		return ask.Addition{Path: path, Origin: catalog.Origin{Name: path}, Files: os.DirFS(path)}, nil
	}
	by, err := trustedKey(key)
	if err != nil {
		return ask.Addition{}, err
	}
	a, _, err := readArchive(path, by)
	if err != nil {
		return ask.Addition{}, err
	}
	return ofArchive(path, a), nil
}

func ofArchive(path string, a *archive.Archive) ask.Addition {
	origin := catalog.Origin{Name: a.Name, Version: a.Version, Digest: a.Digest}
	if a.Checked {
		origin.SignedBy = a.SignedBy
	}
	return ask.Addition{Path: path, Origin: origin, Files: a.Files, Complete: a.Complete}
}

// readArchive reads an archive and returns its bytes too. A nil key accepts any signer.
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

// anyKey is the value of --key that accepts any signer.
const anyKey = "none"

// trustedKey returns the key in a file, or the key of knowledge use if the user names none. nil accepts any signer.
func trustedKey(file string) (*archive.Key, error) {
	switch file {
	case anyKey:
		return nil, nil
	case "":
		key, err := pinnedKey()
		if err == nil && key == nil {
			err = hintf("use --key FILE (with --catalog: --catalog-key FILE); none skips verification", "the archive cannot be verified: the public key of its publisher is missing")
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

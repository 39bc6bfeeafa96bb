package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/atomicfile"
	"github.com/nodetriage/nodetriage/knowledge/catalog/archive"
)

// Files of knowledge use in the user's configuration folder.
const (
	usedFile = "knowledge.tar"
	keyFile  = "knowledge.pub" // missing if the archive was accepted from any signer
)

// settingsDir returns the user's configuration folder; empty if there is none.
func settingsDir() string {
	dir := os.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) {
		var err error
		if dir, err = os.UserConfigDir(); err != nil {
			return ""
		}
	}
	return filepath.Join(dir, "nodetriage")
}

// inUse returns the archive of knowledge use, if there is one. It is verified each time it is read.
func inUse() ([]ask.Addition, error) {
	path := filepath.Join(settingsDir(), usedFile)
	if !isThere(path) {
		return nil, nil
	}
	key, err := pinnedKey()
	if err != nil {
		return nil, err
	}
	a, _, err := readArchive(path, key)
	if err != nil {
		return nil, wayBack(err)
	}
	return []ask.Addition{ofArchive(path, a)}, nil
}

func wayBack(err error) error {
	return hinted(err, "nodetriage knowledge use --built-in restores the built-in knowledge")
}

// pinnedKey returns the key of the archive in use; nil if there is none.
func pinnedKey() (*archive.Key, error) {
	path := filepath.Join(settingsDir(), keyFile)
	if !isThere(path) {
		return nil, nil
	}
	return readKey(path)
}

// isThere reports whether the file exists in the configuration folder. A folder without permission belongs to another user: a
// service may run with the home of root.
func isThere(path string) bool {
	_, err := os.Stat(path)
	return settingsDir() != "" && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission)
}

// use stores an archive and its key for all later runs. A nil key means that any signer was accepted.
func use(data []byte, key *archive.Key) error {
	dir := settingsDir()
	if dir == "" {
		return errors.New("keep the knowledge: there is no folder for settings; set XDG_CONFIG_HOME")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return usagef("keep the knowledge: %w", err)
	}
	keep := []struct {
		name string
		data []byte
	}{{usedFile, data}}
	if key != nil {
		keep = append(keep, struct {
			name string
			data []byte
		}{keyFile, key.Text()})
	} else if err := forget(keyFile); err != nil {
		return err
	}
	for _, file := range keep {
		if err := atomicfile.WriteBytes(filepath.Join(dir, file.name), atomicfile.Options{Replace: true}, file.data); err != nil {
			return usagef("keep the knowledge: %w", err)
		}
	}
	return nil
}

// forget removes a file of use, if it exists.
func forget(name string) error {
	err := os.Remove(filepath.Join(settingsDir(), name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return usagef("remove the knowledge in use: %w", err)
	}
	return nil
}

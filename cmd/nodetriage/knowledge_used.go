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

// What knowledge use keeps, in the user's folder for settings.
const (
	usedFile = "knowledge.tar"
	keyFile  = "knowledge.pub" // there is none: the archive was taken from whomever
)

// settingsDir is the user's folder for settings; empty: there is none.
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

// inUse is the archive that the user uses always, if there is one. It is checked each time that it is read.
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
	return usagef("%w; nodetriage knowledge use --built-in goes back to the knowledge of the program", err)
}

// pinnedKey is the key of the archive in use; nil: there is none.
func pinnedKey() (*archive.Key, error) {
	path := filepath.Join(settingsDir(), keyFile)
	if !isThere(path) {
		return nil, nil
	}
	return readKey(path)
}

// isThere reports whether the user has the file among the settings. A folder that is closed to the user is somebody else's: a
// service may run with the home of root.
func isThere(path string) bool {
	_, err := os.Stat(path)
	return settingsDir() != "" && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission)
}

// use keeps an archive with its key for all later runs; a nil key: it is from whomever.
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

// forget removes a file that use keeps, if it is there.
func forget(name string) error {
	err := os.Remove(filepath.Join(settingsDir(), name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return usagef("remove the knowledge in use: %w", err)
	}
	return nil
}

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// WriteFolder makes a folder with the files that fill writes into a temporary one. It appears complete or not at all, and only
// its owner can enter it. An existing folder is replaced only if it is empty. It returns an error of fill unchanged.
func WriteFolder(name string, fill func(dir string) error) error {
	if err := CheckFolder(name); err != nil {
		return err
	}
	target := filepath.Clean(name)
	temp, err := os.MkdirTemp(filepath.Dir(target), ".nodetriage-*.tmp") // exclusive, with mode 0700
	if err != nil {
		return named(name, err)
	}
	defer os.RemoveAll(temp) // after a failure; after the rename the folder has another name
	if err := fill(temp); err != nil {
		return err
	}
	if err := syscall.Rmdir(target); err != nil && !errors.Is(err, fs.ErrNotExist) { // fails unless it is empty
		return named(name, err)
	}
	if err := os.Rename(temp, target); err != nil { // fails if the name exists again
		return named(name, err)
	}
	return syncDir(target)
}

// CheckFolder reports why a folder cannot be written under this name.
func CheckFolder(name string) error {
	target := filepath.Clean(name)
	info, err := os.Lstat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return named(name, err)
	case !info.IsDir():
		return named(name, errors.New("this is not a folder"))
	case isCurrent(info):
		return named(name, ErrCurrent)
	}
	entries, err := os.ReadDir(target)
	switch {
	case err != nil:
		return named(name, err)
	case len(entries) > 0:
		return named(name, ErrNotEmpty)
	}
	return movable(name, target)
}

// movable reports why an empty folder cannot be replaced: it is a mount point, or in use. Only a rename shows that.
func movable(name, target string) error {
	aside := target + ".nodetriage"
	err := os.Rename(target, aside)
	switch {
	case errors.Is(err, syscall.EBUSY):
		return named(name, ErrMount)
	case err != nil:
		return named(name, err)
	}
	return os.Rename(aside, target)
}

// ErrMount means that the folder cannot be replaced by another one.
var ErrMount = errors.New("a mount point cannot be replaced")

// ErrNotEmpty means that the folder exists and has files. They are never replaced.
var ErrNotEmpty = errors.New("the folder is not empty")

// ErrCurrent means that the folder is the current one. It cannot be replaced by another folder of its name.
var ErrCurrent = errors.New("the current folder cannot be replaced")

func isCurrent(info fs.FileInfo) bool {
	current, err := os.Stat(".")
	return err == nil && os.SameFile(info, current)
}

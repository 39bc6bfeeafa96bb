package bundle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/nodetriage/nodetriage/evidence"
)

// ErrExists says that the file of a bundle is there already.
var ErrExists = errors.New("the file is there already")

// Save writes a bundle to a file that only its owner can read. The file appears whole or not at all, and
// replaces another only if told so.
func Save(ctx context.Context, name string, replace bool, s *evidence.Snapshot, texts *Texts, opt Options) (*Summary, error) {
	var summary *Summary
	err := Whole(name, replace, func(w io.Writer) (err error) {
		summary, err = Write(ctx, w, s, texts, opt)
		return err
	})
	return summary, err
}

// Whole writes a file that only its owner can read, as Save does. The error of write is returned as it is.
func Whole(name string, replace bool, write func(io.Writer) error) error {
	if _, err := os.Lstat(name); err == nil && !replace {
		return fmt.Errorf("write %s: %w", name, ErrExists)
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".nodetriage-*.tmp") // mode 0600
	if err != nil {
		return fmt.Errorf("write %s: %w", name, cause(err))
	}
	defer os.Remove(f.Name())
	defer f.Close()
	if err := write(f); err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", name, cause(err))
	}
	if err := publish(f.Name(), name, replace); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

// publish gives the finished file its name.
func publish(temp, name string, replace bool) error {
	if replace {
		return cause(os.Rename(temp, name))
	}
	err := os.Link(temp, name) // fails where the name is taken, whoever took it meanwhile
	switch {
	case err == nil, errors.Is(err, fs.ErrExist):
		if err != nil {
			return ErrExists
		}
		return nil
	}
	// A file system without links.
	if _, err := os.Lstat(name); err == nil {
		return ErrExists
	}
	return cause(os.Rename(temp, name))
}

// cause drops the operation and the paths that os puts in front of an error: the caller names them.
func cause(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

package collect

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/nodetriage/nodetriage/evidence"
)

// ErrExists says that the file of a bundle is there already.
var ErrExists = errors.New("the file is there already")

// SaveBundle writes a bundle to a file that only its owner can read. The file appears whole or not at all, and
// replaces another only if told so.
func SaveBundle(ctx context.Context, name string, replace bool, s *evidence.Snapshot, texts *Texts, opt BundleOptions) (*BundleSummary, error) {
	if _, err := os.Lstat(name); err == nil && !replace {
		return nil, fmt.Errorf("write %s: %w", name, ErrExists)
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".nodetriage-*.tmp") // mode 0600
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", name, unwrapPath(err))
	}
	defer os.Remove(f.Name())
	defer f.Close()
	summary, err := WriteBundle(ctx, f, s, texts, opt)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return nil, fmt.Errorf("write %s: %w", name, unwrapPath(err))
	}
	if err := publish(f.Name(), name, replace); err != nil {
		return nil, fmt.Errorf("write %s: %w", name, err)
	}
	return summary, nil
}

// publish gives the finished file its name.
func publish(temp, name string, replace bool) error {
	if replace {
		return unwrapLink(os.Rename(temp, name))
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
	return unwrapLink(os.Rename(temp, name))
}

func unwrapLink(err error) error {
	var le *os.LinkError
	if errors.As(err, &le) {
		return le.Err
	}
	return err
}

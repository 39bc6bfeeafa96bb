package bundle

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/nodetriage/nodetriage/atomicfile"
	"github.com/nodetriage/nodetriage/evidence"
)

// Save writes a bundle to a file that only its owner can read. The write is atomic, and replaces an existing file only if replace
// is set.
func Save(ctx context.Context, name string, replace bool, s *evidence.Snapshot, texts *Texts, opt Options) (*Summary, error) {
	var summary *Summary
	err := atomicfile.Write(name, atomicfile.Options{Replace: replace}, func(w io.Writer) (err error) {
		summary, err = Write(ctx, w, s, texts, opt)
		return err
	})
	return summary, err
}

// cause drops the operation and the paths that os adds to an error: the caller names them.
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

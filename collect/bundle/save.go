package bundle

import (
	"archive/zip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/atomicfile"
	"github.com/nodetriage/nodetriage/evidence"
)

// IsFolder reports whether Save writes a folder under this name: it ends with a separator.
func IsFolder(name string) bool { return name != "" && os.IsPathSeparator(name[len(name)-1]) }

// Check reports why Save could not write under this name.
func Check(name string, replace bool) error {
	if IsFolder(name) {
		return atomicfile.CheckFolder(name)
	}
	return atomicfile.Check(name, replace)
}

// Save writes a bundle that only its owner can read: a folder if the name ends with a separator, a zip archive if it ends with
// .zip, else a gzip-compressed tar archive. The write is atomic. It replaces an existing file only if replace is set, and never a
// folder that has files.
func Save(ctx context.Context, name string, replace bool, s *evidence.Snapshot, texts *Texts, opt Options) (summary *Summary, err error) {
	if IsFolder(name) {
		err = atomicfile.WriteFolder(name, func(dir string) error {
			summary, err = write(ctx, func(time.Time) container { return folder(dir) }, s, texts, opt)
			return err
		})
		return summary, err
	}
	err = atomicfile.Write(name, atomicfile.Options{Replace: replace}, func(w io.Writer) (err error) {
		if strings.EqualFold(filepath.Ext(name), ".zip") {
			summary, err = write(ctx, func(at time.Time) container { return &zipped{zip.NewWriter(w), at} }, s, texts, opt)
		} else {
			summary, err = Write(ctx, w, s, texts, opt)
		}
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

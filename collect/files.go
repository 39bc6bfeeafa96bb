package collect

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
)

// AddPath reads a file or a folder. An error means that there is nothing there to read; trouble inside
// becomes gaps.
func (b *Builder) AddPath(name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return fmt.Errorf("read %s: %w", name, unwrapPath(err))
	}
	if info.IsDir() {
		root, err := os.OpenRoot(name)
		if err != nil {
			return fmt.Errorf("read folder %s: %w", name, unwrapPath(err))
		}
		defer root.Close()
		return b.AddFS(root.FS())
	}
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("read %s: %w", name, unwrapPath(err))
	}
	defer f.Close()
	if info.Mode().IsRegular() && isZip(f) {
		c := b.newContainer(nil)
		defer c.finish()
		b.addZip(c.document(filepath.Base(name), 0), f, info.Size())
		return nil
	}
	b.AddStream(filepath.Base(name), f)
	return nil
}

// AddFS reads every file below the root of files, in lexical order. Hidden files, links that leave the
// folder and special files are left out, the latter two with a gap. An unpacked bundle is read as the bundle, and of a
// recorded case its evidence.
func (b *Builder) AddFS(files fs.FS) error {
	c := b.newContainer(nil)
	c.many = true
	defer c.finish()
	return c.readFS(contentOf(files))
}

// readFS reads the files below the root of files as members of the container.
func (c *container) readFS(files fs.FS) error {
	b := c.builder
	c.openBundle(files)
	count := 0
	return fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			b.Gap(boundName(name), "cannot be read: "+unwrapPath(err).Error(), "")
			return nil
		}
		if entry.IsDir() {
			if name != "." && strings.HasPrefix(entry.Name(), ".") {
				return fs.SkipDir
			}
			return nil
		}
		if hidden(name) {
			return nil
		}
		if b.door.ended() {
			b.Incomplete(evidence.Everything, "the files from "+boundName(name)+" on", "not read: "+context.Cause(b.door.ctx).Error(), "")
			c.damaged = true
			return fs.SkipAll
		}
		if count++; count > maxEntries {
			b.Incomplete(evidence.Everything, boundName(name), fmt.Sprintf("the folder has more than %d files; the rest was not read", maxEntries), "name the files that matter")
			c.damaged = true
			return fs.SkipAll
		}
		b.addFile(c.document(name, 0), files, name)
		return nil
	})
}

// addFile reads one file of a folder.
func (b *Builder) addFile(d document, files fs.FS, name string) {
	info, err := fs.Stat(files, name)
	switch {
	case err != nil:
		b.Gap(d.name, "cannot be opened: "+unwrapPath(err).Error(), "")
		return
	case info.IsDir():
		b.Gap(d.name, "is a link to a folder and was not followed", "")
		return
	case !info.Mode().IsRegular():
		b.Gap(d.name, "is no regular file", "")
		return
	}
	f, err := files.Open(name)
	if err != nil {
		b.Gap(d.name, "cannot be opened: "+unwrapPath(err).Error(), "")
		return
	}
	defer f.Close()
	if at, ok := f.(io.ReaderAt); ok && isZip(at) {
		b.addZip(d, at, info.Size())
		return
	}
	d.from.member(d, f)
}

// unwrapPath drops the operation and path that os puts in front of an error: the caller names them.
func unwrapPath(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

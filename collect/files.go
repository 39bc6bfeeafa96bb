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
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// AddPath reads a file or a folder. It returns an error if there is nothing to read. Problems inside become gaps.
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

// AddFS reads every file below the root of files, in lexical order. It skips hidden files, and adds gaps for skipped special files
// and links that leave the folder. It reads an unpacked bundle as a bundle, and only the evidence of a recorded case.
func (b *Builder) AddFS(files fs.FS) error {
	c := b.newContainer(nil)
	c.many = true
	defer c.finish()
	return c.readFS(contentOf(files))
}

// readFS reads the files below the root of files as members of the container.
func (c *container) readFS(files fs.FS) error {
	c.openBundle(files)
	a := c.readAhead()
	defer a.wait()
	count := 0
	return fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			a.wait()
			c.builder.Gap(boundName(name), "cannot be read: "+unwrapPath(err).Error(), "")
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
		count++
		if what, why, how := c.noFurther(name, count); why != "" {
			a.wait()
			c.builder.Incomplete(evidence.Everything, what, why, how)
			c.damaged = true
			return fs.SkipAll
		}
		a.file(files, name)
		return nil
	})
}

// noFurther returns why reading of a folder stops at the file with that number; empty: it continues.
func (c *container) noFurther(name string, number int) (what, why string, how shell.Text) {
	switch d := &c.builder.door; {
	case d.ended():
		return "the files from " + boundName(name) + " on", "not read: " + context.Cause(d.ctx).Error(), ""
	case number > maxEntries:
		return boundName(name), fmt.Sprintf("the folder has more than %d files; the rest was not read", maxEntries), "name the files that matter"
	}
	return "", "", ""
}

// file reads a file of a folder.
func (a *ahead) file(files fs.FS, name string) {
	info, err := fs.Stat(files, name)
	size := int64(0)
	if err == nil {
		size = info.Size()
	}
	if !a.reserve(size) {
		a.c.addFile(files, name, info, err)
		return
	}
	a.begin(size, a.c.builder.door.read.Load, func(c *container) { c.addFile(files, name, info, err) })
}

// addFile reads one file of a folder, given the result of fs.Stat.
func (c *container) addFile(files fs.FS, name string, info fs.FileInfo, err error) {
	b, d := c.builder, c.document(name, 0)
	switch {
	case err != nil:
		b.Gap(d.name, "cannot be opened: "+unwrapPath(err).Error(), "")
		return
	case info.IsDir():
		b.Gap(d.name, "is a link to a folder and was not followed", "")
		return
	case !info.Mode().IsRegular():
		b.Gap(d.name, "is not a regular file", "")
		return
	}
	f, err := files.Open(name)
	if err != nil {
		b.Gap(d.name, "cannot be opened: "+unwrapPath(err).Error(), "")
		return
	}
	defer f.Close()
	if at, ok := f.(io.ReaderAt); ok && isZip(at) {
		b.turn.await() // unpacked bytes are counted in the order of the inputs
		b.addZip(d, at, info.Size())
		return
	}
	c.member(d, f)
}

// unwrapPath drops the operation and path that os adds to an error: the caller names them.
func unwrapPath(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

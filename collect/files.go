package collect

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
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
		return b.addZip(filepath.Base(name), f, info.Size())
	}
	b.AddStream(filepath.Base(name), f)
	return nil
}

// AddFS reads every file below the root of files, in lexical order. Hidden files, links that leave the
// folder and special files are left out, the latter two with a gap.
func (b *Builder) AddFS(files fs.FS) error {
	count := 0
	return fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			b.Gap(name, "cannot be read: "+unwrapPath(err).Error(), "")
			return nil
		}
		if entry.IsDir() {
			if name != "." && strings.HasPrefix(entry.Name(), ".") {
				return fs.SkipDir
			}
			return nil
		}
		if strings.HasPrefix(entry.Name(), ".") || entry.Name() == manifestName {
			return nil
		}
		if count++; count > maxEntries {
			b.Gap(name, fmt.Sprintf("the folder has more than %d files; the rest was not read", maxEntries), "name the files that matter")
			return fs.SkipAll
		}
		info, err := fs.Stat(files, name)
		if err != nil {
			b.Gap(name, "cannot be opened: "+unwrapPath(err).Error(), "")
			return nil
		}
		if info.IsDir() {
			b.Gap(name, "is a link to a folder and was not followed", "")
			return nil
		}
		if !info.Mode().IsRegular() {
			b.Gap(name, "is no regular file", "")
			return nil
		}
		f, err := files.Open(name)
		if err != nil {
			b.Gap(name, "cannot be opened: "+unwrapPath(err).Error(), "")
			return nil
		}
		defer f.Close()
		b.AddStream(name, f)
		return nil
	})
}

func isZip(f *os.File) bool {
	var magic [4]byte
	_, err := f.ReadAt(magic[:], 0)
	return err == nil && string(magic[:]) == "PK\x03\x04"
}

// addZip reads the files of a zip archive; the bounds are those of other archives.
func (b *Builder) addZip(name string, f io.ReaderAt, size int64) error {
	z, err := zip.NewReader(f, size)
	if err != nil {
		return fmt.Errorf("read archive %s: %w", name, err)
	}
	left := int64(maxUnpacked)
	for i, entry := range z.File {
		if i >= maxEntries {
			b.Gap(name, fmt.Sprintf("the archive has more than %d entries; the rest was not read", maxEntries), "")
			break
		}
		if entry.FileInfo().IsDir() || strings.HasPrefix(path.Base(entry.Name), ".") || path.Base(entry.Name) == manifestName {
			continue
		}
		if !fs.ValidPath(entry.Name) || !entry.Mode().IsRegular() {
			b.Gap(name, "a link or an entry with a path outside the archive was skipped", "")
			continue
		}
		r, err := entry.Open()
		if err != nil {
			b.Gap(entry.Name, "cannot be unpacked: "+err.Error(), "")
			continue
		}
		counted := &countingReader{r: io.LimitReader(r, left)}
		b.addStream(entry.Name, counted, 1)
		left -= counted.n
		r.Close()
		if left <= 0 {
			b.Gap(name, fmt.Sprintf("the archive unpacks to more than %d GiB; the rest was not read", maxUnpacked>>30), "")
			break
		}
	}
	return nil
}

type countingReader struct {
	r io.Reader
	n int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// unwrapPath drops the operation and path that os puts in front of an error: the caller names them.
func unwrapPath(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

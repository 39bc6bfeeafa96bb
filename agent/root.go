package agent

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Bounds of what is read of one small file, and of how many entries a folder may have for us.
const (
	maxFile    = 1 << 20
	maxEntries = 5000
	maxLinks   = 40
)

// path returns where a path of the node lies for us. Symbolic links are followed inside the root: an absolute
// link of the node must not lead out of it.
func (h *Host) path(name string) (string, error) {
	if h.root == "/" {
		return name, nil
	}
	rest := strings.Split(path.Clean("/"+name), "/")[1:]
	at := "/"
	for links := 0; len(rest) > 0; {
		step := rest[0]
		rest = rest[1:]
		switch step {
		case "", ".":
			continue
		case "..":
			at = path.Dir(at)
			continue
		}
		next := path.Join(at, step)
		target, err := os.Readlink(filepath.Join(h.root, next))
		if err != nil {
			at = next // no link, or nothing there: opening it will tell
			continue
		}
		if links++; links > maxLinks {
			return "", fmt.Errorf("follow %s: too many links", name)
		}
		if path.IsAbs(target) {
			at = "/"
		}
		rest = append(strings.Split(target, "/"), rest...)
	}
	return filepath.Join(h.root, at), nil
}

// read returns a file of the node, at most max bytes of it.
func (h *Host) read(name string, max int64) ([]byte, error) {
	f, err := h.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, max))
	if err != nil {
		return data, fmt.Errorf("read %s: %w", name, bare(err))
	}
	return data, nil
}

// open opens a file of the node. A pipe or a device that nobody serves must not hold us up.
func (h *Host) open(name string) (*os.File, error) {
	p, err := h.path(name)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(p, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, bare(err))
	}
	return f, nil
}

// text returns a small file without the white space around it, or "" where there is none.
func (h *Host) text(name string) string {
	data, err := h.read(name, 64<<10)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}

// number returns the number in a small file, and whether there is one.
func (h *Host) number(name string) (uint64, bool) {
	n, err := strconv.ParseUint(h.text(name), 10, 64)
	return n, err == nil
}

// list returns the entries of a folder of the node, in the order of their names.
func (h *Host) list(name string) ([]fs.DirEntry, error) {
	f, err := h.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(maxEntries)
	if err != nil && !errors.Is(err, io.EOF) {
		return entries, fmt.Errorf("list %s: %w", name, bare(err))
	}
	sortEntries(entries)
	return entries, nil
}

// stat tells about a file of the node.
func (h *Host) stat(name string) (fs.FileInfo, error) {
	p, err := h.path(name)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(p)
	if err != nil {
		return nil, fmt.Errorf("look at %s: %w", name, bare(err))
	}
	return info, nil
}

// bare drops the path from an error: it would be that of the folder which stands in for the root.
func bare(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

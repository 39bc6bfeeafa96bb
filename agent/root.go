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

// Bounds for the size of a small file and for the entries of a folder.
const (
	maxFile    = 1 << 20
	maxEntries = 5000
	maxLinks   = 40
)

// path maps a path of the node to a local path. It resolves symbolic links inside the root, so an absolute link of the
// node cannot escape it.
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
			at = next // no link, or nothing there; open reports it
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

// read returns at most max bytes of a file of the node.
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

// open opens a file of the node. It must not block on a FIFO or device without a peer.
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

// text returns a small file without surrounding white space, or "".
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

// list returns the entries of a folder of the node, sorted by name.
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

// stat returns the file info of a file of the node.
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

// bare removes the path from an error because it contains the root folder.
func bare(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

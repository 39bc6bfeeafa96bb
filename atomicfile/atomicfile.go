package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrExists means that the file exists and Options.Replace is not set.
var ErrExists = errors.New("the file exists already")

// Private is the mode of a file that only its owner can read. Everyone can read a Public file.
const (
	Private fs.FileMode = 0o600
	Public  fs.FileMode = 0o644
)

// Options configure how a file is written.
type Options struct {
	Replace bool        // replace an existing regular file
	Mode    fs.FileMode // 0: Private; the mode of a replaced file is ignored
}

// Write writes a file with the output of fill. It returns an error of fill unchanged.
func Write(name string, opt Options, fill func(io.Writer) error) error {
	if err := Check(name, opt.Replace); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(name), ".nodetriage-*.tmp") // exclusive, with mode 0600
	if err != nil {
		return named(name, err)
	}
	defer os.Remove(temp.Name()) // after a failure; after the rename the file has another name
	defer temp.Close()
	if err := fill(&writer{name, temp}); err != nil {
		return err
	}
	if opt.Mode != 0 && opt.Mode != Private {
		err = temp.Chmod(opt.Mode)
	}
	if err := errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return named(name, err)
	}
	return publish(temp.Name(), name, opt.Replace)
}

// WriteBytes writes a file with the given content.
func WriteBytes(name string, opt Options, data []byte) error {
	return Write(name, opt, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Check reports why a file cannot be written under this name, before the caller starts expensive work.
func Check(name string, replace bool) error {
	if name == "" || os.IsPathSeparator(name[len(name)-1]) {
		return named(name, errors.New("this is not the name of a file"))
	}
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return named(name, err)
	case !info.Mode().IsRegular():
		return named(name, fmt.Errorf("%s is never replaced", kind(info.Mode())))
	case !replace:
		return named(name, ErrExists)
	}
	return nil
}

func kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	case mode&fs.ModeNamedPipe != 0:
		return "a FIFO"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "a special file"
}

// publish renames the finished file to its final name.
func publish(temp, name string, replace bool) error {
	if !replace {
		err := os.Link(temp, name) // fails if the name exists, even if another process created it meanwhile
		switch {
		case err == nil:
			return syncDir(name)
		case errors.Is(err, fs.ErrExist):
			return named(name, ErrExists)
		}
		// The file system has no hard links.
	}
	if err := Check(name, replace); err != nil { // as late as possible
		return err
	}
	if err := os.Rename(temp, name); err != nil {
		return named(name, err)
	}
	return syncDir(name)
}

// named returns the error with the name of the target. It drops the operation and the temporary path that os adds.
func named(name string, err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		err = path.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return fmt.Errorf("write %s: %w", name, err)
}

// writer writes to the temporary file and reports errors with the name of the target.
type writer struct {
	name string
	temp *os.File
}

func (w *writer) Write(p []byte) (int, error) {
	n, err := w.temp.Write(p)
	if err != nil {
		err = named(w.name, err)
	}
	return n, err
}

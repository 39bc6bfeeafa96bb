package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrExists says that there is a file of that name, and nobody said that it may be replaced.
var ErrExists = errors.New("the file exists already")

// Private is the mode of a file that its owner alone may read; Public of one that everybody may read.
const (
	Private fs.FileMode = 0o600
	Public  fs.FileMode = 0o644
)

// Options say how a file is written.
type Options struct {
	Replace bool        // a regular file that is there already
	Mode    fs.FileMode // 0: Private; the mode of a file that is replaced does not count
}

// Write writes a file by what fill writes. The error of fill is returned as it is.
func Write(name string, opt Options, fill func(io.Writer) error) error {
	if err := Check(name, opt.Replace); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(name), ".nodetriage-*.tmp") // exclusive, with mode 0600
	if err != nil {
		return named(name, err)
	}
	defer os.Remove(temp.Name()) // of a failure; with its name it is another file
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

// WriteBytes writes a file with that content.
func WriteBytes(name string, opt Options, data []byte) error {
	return Write(name, opt, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Check reports what is in the way of a file of that name, so that nobody works in vain.
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

// publish gives the finished file its name.
func publish(temp, name string, replace bool) error {
	if !replace {
		err := os.Link(temp, name) // fails where the name is taken, whoever took it meanwhile
		switch {
		case err == nil:
			return syncDir(name)
		case errors.Is(err, fs.ErrExist):
			return named(name, ErrExists)
		}
		// A file system without hard links.
	}
	if err := Check(name, replace); err != nil { // as late as can be
		return err
	}
	if err := os.Rename(temp, name); err != nil {
		return named(name, err)
	}
	return syncDir(name)
}

// named is an error of the file, not of the temporary one: it drops the operation and the paths that os puts in front of it.
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

// writer writes to the temporary file and speaks of the one that is to be.
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

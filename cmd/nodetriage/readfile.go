package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"

	"github.com/nodetriage/nodetriage/ask"
)

// Limits of the files that flags name, in addition to evidence, in bytes.
const (
	maxReport     = 64 << 20 // of diagnose -o json
	maxExceptions = 1 << 20
	maxKey        = 1 << 20
	maxKubeconfig = 8 << 20
)

// readFile reads a file that a flag names. A device has no end and is rejected. A named pipe may have no writer: it is read
// while it has one, within the time limit for evidence.
func readFile(path string, most int64) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, bare(err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, bare(err)
	case info.IsDir():
		return nil, errors.New("is a folder")
	case !info.Mode().IsRegular() && info.Mode()&fs.ModeNamedPipe == 0:
		return nil, &ask.HintError{Err: errors.New("is a device or a socket"), Hint: "save its content as a file"}
	}
	_ = f.SetReadDeadline(time.Now().Add(ask.LongestReading)) // regular files do not support deadlines
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, fmt.Errorf("it took more than %s", ask.LongestReading)
	case err != nil:
		return nil, bare(err)
	case int64(len(data)) > most:
		return nil, fmt.Errorf("is larger than %d KiB", most>>10)
	case len(data) == 0 && !info.Mode().IsRegular():
		return nil, errors.New("is a named pipe without a writer")
	}
	return data, nil
}

// bare removes the operation and the path that os adds to an error, because the caller names them.
func bare(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}

//go:build unix

package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// noFollow rejects symbolic links and does not block on a FIFO.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// syncDir syncs the new name to disk. File systems that cannot sync folders persist names without it.
func syncDir(name string) error {
	dir, err := os.Open(filepath.Dir(name))
	if err != nil {
		return nil // the folder is writable but not readable
	}
	defer dir.Close()
	if err := dir.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return named(name, err)
	}
	return nil
}

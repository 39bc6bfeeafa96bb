//go:build unix

package execute

import (
	"errors"
	"os"
	"syscall"
)

// alone locks a file for this process. The lock ends with the process, even after SIGKILL.
func alone(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrBusy
	}
	return err
}

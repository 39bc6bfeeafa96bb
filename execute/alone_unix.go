//go:build unix

package execute

import (
	"errors"
	"os"
	"syscall"
)

// alone claims a file for this process. The claim ends with the process, however that ends.
func alone(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrBusy
	}
	return err
}

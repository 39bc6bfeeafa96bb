package agent

import (
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

func realSystem() system {
	return system{
		now:        time.Now,
		statfs:     statfs,
		kernelTime: kernelTime,
		kernelLog:  openKernelLog,
		dial:       (&net.Dialer{}).DialContext,
	}
}

func statfs(path string) (space, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return space{}, err
	}
	size := uint64(s.Bsize)
	return space{
		bytes: s.Blocks * size, bytesFree: s.Bfree * size, bytesAvailable: s.Bavail * size,
		inodes: s.Files, inodesFree: s.Ffree,
	}, nil
}

// kernelTime reads whether somebody keeps the kernel's clock, without setting anything (adjtimex(2), modes 0).
func kernelTime() (synchronised bool, offset time.Duration, err error) {
	var t unix.Timex
	if _, err := unix.Adjtimex(&t); err != nil {
		return false, 0, fmt.Errorf("ask the kernel for the state of its clock: %w", err)
	}
	unit := time.Microsecond
	if t.Status&unix.STA_NANO != 0 {
		unit = time.Nanosecond
	}
	return t.Status&unix.STA_UNSYNC == 0, time.Duration(t.Offset) * unit, nil
}

// openKernelLog opens the kernel's ring buffer. Each read is one record, and none waits for the next.
func openKernelLog(h *Host) (io.ReadCloser, error) {
	name, err := h.path("/dev/kmsg")
	if err != nil {
		return nil, err
	}
	fd, err := unix.Open(name, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("read the kernel log: %w", err)
	}
	return ring(fd), nil
}

// ring reads records of /dev/kmsg, a line each, until there is none.
type ring int

func (fd ring) Read(p []byte) (int, error) {
	for {
		n, err := syscall.Read(int(fd), p)
		switch err {
		case nil:
			if n == 0 {
				return 0, io.EOF
			}
			return n, nil
		case syscall.EPIPE, syscall.EINTR: // records were overwritten while we read: go on with the oldest
			continue
		case syscall.EAGAIN:
			return 0, io.EOF
		case syscall.EINVAL: // a record larger than the buffer
			return 0, io.ErrShortBuffer
		}
		return 0, os.NewSyscallError("read", err)
	}
}

func (fd ring) Close() error { return unix.Close(int(fd)) }

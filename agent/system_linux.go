package agent

import (
	"bytes"
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
		running:    running,
		statfs:     statfs,
		kernelTime: kernelTime,
		kernelLog:  openKernelLog,
		user:       os.Geteuid,
		inotify:    inotifyInstance,
		filter:     realFilter,
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

// inotifyInstance fails with EMFILE if this user has no instance left (inotify_init1(2)). A process at its open file
// limit gets the same error, so opening a file distinguishes them.
func inotifyInstance() error {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC)
	if err == nil {
		return unix.Close(fd)
	}
	file, opened := unix.Open("/proc/self/stat", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if opened != nil {
		return fmt.Errorf("open a file of this process: %w", os.ErrInvalid)
	}
	_ = unix.Close(file)
	return err
}

// running returns the same value in all processes (clock_gettime(2), CLOCK_MONOTONIC, which every kernel has).
func running() time.Duration {
	var t unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &t)
	return time.Duration(t.Nano())
}

// kernelTime reads whether the kernel clock is synchronised. It sets nothing (adjtimex(2), modes 0).
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

// openKernelLog opens the ring buffer of the kernel without blocking; each read returns one record. If a container
// cannot open the device, it requests a copy from the kernel.
func openKernelLog(h *Host) (io.ReadCloser, error) {
	name, err := h.path("/dev/kmsg")
	if err != nil {
		return nil, err
	}
	fd, err := unix.Open(name, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err == nil {
		return ring(fd), nil
	}
	log, refusal := copyKernelLog()
	if refusal == nil {
		return log, nil
	}
	return nil, &refused{fmt.Errorf("read the kernel log: open /dev/kmsg: %w; syslog(2): %w", err, refusal), systemLog}
}

// mostKernelLog bounds the copy, which has the newest records.
const mostKernelLog = 256 << 10

// copyKernelLog copies the ring buffer without clearing it (syslog(2), SYSLOG_ACTION_READ_ALL).
func copyKernelLog() (io.ReadCloser, error) {
	size, err := unix.Klogctl(unix.SYSLOG_ACTION_SIZE_BUFFER, nil)
	if err != nil {
		return nil, err
	}
	text := make([]byte, min(size, mostKernelLog))
	n, err := unix.Klogctl(unix.SYSLOG_ACTION_READ_ALL, text)
	if err != nil {
		return nil, err
	}
	return io.NopCloser(bytes.NewReader(text[:n])), nil
}

// holds reports whether this process has the capability.
func holds(c capability) bool {
	var data [2]unix.CapUserData
	if err := unix.Capget(&unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &data[0]); err != nil {
		return false
	}
	return data[c.bit/32].Effective&(1<<(c.bit%32)) != 0
}

// ring reads records of /dev/kmsg, one per line, until there is none.
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
		case syscall.EPIPE, syscall.EINTR: // records were overwritten; continue with the oldest
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

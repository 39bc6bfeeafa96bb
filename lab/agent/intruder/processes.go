//go:build linux

package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// The test runs these programs on the node, as root and as another user.
const (
	rootsProgram  = "victim-of-root"
	othersProgram = "victim-of-other"
)

func processes() []attempt {
	return []attempt{
		{"see-processes", func() error { _, err := find(host+"/proc", rootsProgram); return err }},
		{"signal-root", func() error { return signal(rootsProgram) }},
		{"signal-other", func() error { return signal(othersProgram) }},
		{"attach-root", func() error { return attach(rootsProgram) }},
		{"attach-other", func() error { return attach(othersProgram) }},
		{"read-environment", func() error { return inProc(rootsProgram, "environ", os.O_RDONLY) }},
		{"read-memory", func() error { return inProc(rootsProgram, "mem", os.O_RDONLY) }},
		{"write-memory", func() error { return inProc(rootsProgram, "mem", os.O_RDWR) }},
		{"list-files", listFiles},
		{"write-through-process", writeThroughProcess},
		{"enter-namespace", enterNamespace},
	}
}

// find returns the process ID of a program in a proc file system.
func find(proc, program string) (int, error) {
	names, err := filepath.Glob(proc + "/[0-9]*/cmdline")
	if err != nil {
		return 0, err
	}
	for _, name := range names {
		line, err := os.ReadFile(name)
		if err != nil || !strings.HasPrefix(string(line), program+"\x00") {
			continue
		}
		return strconv.Atoi(filepath.Base(filepath.Dir(name)))
	}
	return 0, errors.New("the process is not seen")
}

// signal sends a signal without effect.
func signal(program string) error {
	pid, err := find("/proc", program)
	if err != nil {
		return err
	}
	return unix.Kill(pid, unix.SIGURG)
}

// attach attaches to a process and detaches.
func attach(program string) error {
	pid, err := find("/proc", program)
	if err != nil {
		return err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.PtraceSeize(pid); err != nil {
		return err
	}
	if err := unix.PtraceInterrupt(pid); err != nil {
		return err
	}
	var status unix.WaitStatus
	_, err = unix.Wait4(pid, &status, 0x40000000, nil) // __WALL
	return errors.Join(err, unix.PtraceDetach(pid))
}

func inProc(program, file string, flags int) error {
	pid, err := find(host+"/proc", program)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(host, "proc", strconv.Itoa(pid), file), flags, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if file == "mem" {
		return nil // the kernel checked the permission at open
	}
	_, err = f.Read(make([]byte, 1))
	return err
}

func listFiles() error {
	pid, err := find(host+"/proc", rootsProgram)
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(filepath.Join(host, "proc", strconv.Itoa(pid), "fd"))
	if err != nil {
		return err
	}
	for _, e := range entries {
		_, err = os.Readlink(filepath.Join(host, "proc", strconv.Itoa(pid), "fd", e.Name()))
	}
	return err
}

// writeThroughProcess writes to the root of the node as one of its processes sees it. This is not a read-only mount.
func writeThroughProcess() error {
	pid, err := find(host+"/proc", rootsProgram)
	if err != nil {
		return err
	}
	return create(filepath.Join(host, "proc", strconv.Itoa(pid), "root/var/log"))
}

func enterNamespace() error {
	pid, err := find(host+"/proc", rootsProgram)
	if err != nil {
		return err
	}
	fd, err := unix.Open(filepath.Join(host, "proc", strconv.Itoa(pid), "ns/mnt"), unix.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return alone(func() error { return unix.Setns(fd, unix.CLONE_NEWNS) })
}

// alone runs f on a thread that ends with f.
func alone(do func() error) error {
	got := make(chan error)
	go func() {
		runtime.LockOSThread()
		if err := unix.Unshare(unix.CLONE_FS); err != nil { // setns to a mount namespace needs a thread with its own file system state
			got <- err
			return
		}
		got <- do()
	}()
	return <-got
}

//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

func files() []attempt {
	return []attempt{
		{"write-root", func() error { return create(host + "/usr") }},
		{"write-volume", func() error { return create(host + "/var/lib/volume") }},
		{"write-late-mount", writeLateMount},
		{"write-run", func() error { return create(host + "/run") }},
		{"write-shared-memory", func() error { return create(host + "/dev/shm") }},
		{"write-kernel-setting", func() error { return open(host+"/proc/sys/kernel/core_pattern", os.O_WRONLY) }},
		{"write-sysrq", func() error { return open(host+"/proc/sysrq-trigger", os.O_WRONLY) }},
		{"write-sys", func() error { return open(host+"/sys/kernel/mm/transparent_hugepage/enabled", os.O_WRONLY) }},
		{"write-control-group", writeControlGroup},
		{"write-own-image", func() error { return create("/") }},
		{"write-reports", func() error { return create(reports) }},
		{"setuid-program", setuidProgram},
		{"handle-write", handleWrite},
		{"read-kubelet-key", func() error {
			return readAny("/var/lib/kubelet/pki/*key*", "/var/lib/kubelet/pki/kubelet-client-current.pem", "/etc/kubernetes/kubelet.conf")
		}},
		{"read-secret", func() error { return readAny("/var/lib/kubelet/pods/*/volumes/kubernetes.io~secret/*/*") }},
		{"read-others-file", func() error { return open(host+"/var/log/others", os.O_RDONLY) }},
		{"read-group-adm", func() error { return open(host+"/var/log/adm", os.O_RDONLY) }},
		{"open-disk", openDisk},
		{"open-memory", func() error { return open(host+"/dev/mem", os.O_RDONLY) }},
		{"make-device", makeDevice},
	}
}

func open(name string, flags int) error {
	f, err := os.OpenFile(name, flags|unix.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// create creates a file and removes it.
func create(dir string) error {
	f, err := os.CreateTemp(dir, "intruder-")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// writeLateMount writes to a file system that is mounted while the pod runs. The test creates the file "go" after the
// mount.
func writeLateMount() error {
	for range 300 {
		if _, err := os.Stat(host + "/var/log/go"); err == nil {
			if _, err := os.Stat(host + "/var/lib/late/mounted"); err != nil {
				return errors.New("it is not seen")
			}
			return create(host + "/var/lib/late")
		}
		time.Sleep(100 * time.Millisecond)
	}
	return errors.New("nothing was mounted")
}

// setuidProgram creates a program that would run as root for every user of the node.
func setuidProgram() error {
	name := filepath.Join(reports, "intruder")
	defer os.Remove(name)
	if err := os.WriteFile(name, []byte("#!/bin/true\n"), 0o755); err != nil {
		return err
	}
	if err := os.Chmod(name, 0o755|os.ModeSetuid); err != nil {
		return err
	}
	info, err := os.Stat(name)
	if err == nil && info.Mode()&os.ModeSetuid == 0 {
		err = errors.New("the bit was not kept")
	}
	return err
}

// handleWrite opens a file of the node for writing by its file handle. The kernel checks whether the given mount is
// writable, not whether the file is below it (open_by_handle_at(2)). The folder of reports is such a mount.
func handleWrite() error {
	handle, _, err := unix.NameToHandleAt(unix.AT_FDCWD, host+"/var/log/victim", 0)
	if err != nil {
		return fmt.Errorf("name the file: %w", err)
	}
	dir, err := unix.Open(reports, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return err
	}
	defer unix.Close(dir)
	fd, err := unix.OpenByHandleAt(dir, handle, unix.O_RDWR)
	if err != nil {
		return err
	}
	return unix.Close(fd)
}

// readAny reads a file of the node.
func readAny(patterns ...string) error {
	for _, p := range patterns {
		names, _ := filepath.Glob(host + p)
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err == nil && len(data) > 0 {
				return nil
			}
		}
	}
	return fmt.Errorf("none of %q can be read", patterns)
}

// writeControlGroup opens the file that moves processes between cgroups, in version 1 or 2.
func writeControlGroup() error {
	names, _ := filepath.Glob(host + "/sys/fs/cgroup/*/cgroup.procs")
	more, _ := filepath.Glob(host + "/sys/fs/cgroup/cgroup.procs")
	err := errors.New("there is no control group")
	for _, name := range append(names, more...) {
		if err = open(name, os.O_WRONLY); err == nil {
			return nil
		}
	}
	return err
}

// openDisk opens a disk of the node by its device.
func openDisk() error {
	disks, _ := filepath.Glob(host + "/dev/[svx]d*")
	more, _ := filepath.Glob(host + "/dev/nvme*n*")
	err := errors.New("there is no disk")
	for _, d := range append(disks, more...) {
		if err = open(d, os.O_RDONLY); err == nil {
			return nil
		}
	}
	return err
}

// makeDevice creates the device of the first memory disk.
func makeDevice() error {
	name := filepath.Join(reports, "device")
	defer os.Remove(name)
	return unix.Mknod(name, unix.S_IFBLK|0o600, int(unix.Mkdev(1, 0)))
}

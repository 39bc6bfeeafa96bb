//go:build unix

package atomicfile

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Devices, FIFOs, sockets, folders and symbolic links stay unchanged, also with Replace.
func TestNeverReplaced(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must := func(errs ...error) {
		t.Helper()
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
	}
	must(os.WriteFile(at("target"), []byte("precious"), 0o600), os.Mkdir(at("folder"), 0o700), syscall.Mkfifo(at("fifo"), 0o600),
		os.Symlink("target", at("link")), os.Symlink("nowhere", at("dangling")), os.Symlink("folder", at("link-to-folder")), os.Symlink("/dev/null", at("link-to-device")))
	short := filepath.Join("/tmp", filepath.Base(dir)+".sock") // socket paths must be short
	socket, err := net.Listen("unix", short)
	must(err)
	defer socket.Close()
	special := map[string]string{at("folder"): "a folder", at("fifo"): "a FIFO", short: "a socket", at("link"): "a symbolic link",
		at("dangling"): "a symbolic link", at("link-to-folder"): "a symbolic link", at("link-to-device"): "a symbolic link", "/dev/null": "a device"}
	for name, what := range special {
		before, err := os.Lstat(name)
		must(err)
		for _, replace := range []bool{false, true} {
			if err := write(name, replace, "x"); err == nil || err.Error() != "write "+name+": "+what+" is never replaced" {
				t.Errorf("%s, replace %v: %v", name, replace, err)
			}
		}
		if f, err := Append(name); err == nil {
			t.Errorf("%s is appended to", name)
			_ = f.Close()
		}
		if after, err := os.Lstat(name); err != nil || !os.SameFile(before, after) || before.Mode() != after.Mode() {
			t.Errorf("%s: %v became %v, %v", name, before, after, err)
		}
	}
	if read(t, at("target")) != "precious" {
		t.Error("the target of the link was written to")
	}
	if _, err := os.Lstat(at("nowhere")); err == nil {
		t.Error("the target of the dangling link was made")
	}
}

// A hard link keeps its content under its other name.
func TestHardLink(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	if err := errors.Join(os.WriteFile(a, []byte("precious"), 0o600), os.Link(a, b)); err != nil {
		t.Fatal(err)
	}
	if err := write(a, true, "new"); err != nil || read(t, a) != "new" || read(t, b) != "precious" {
		t.Errorf("%v: a is %q, b is %q", err, read(t, a), read(t, b))
	}
}

// A file that appears during the write is not followed: without Replace it stays, also a symbolic link.
func TestPutInPlaceMeanwhile(t *testing.T) {
	for _, replace := range []bool{false, true} {
		dir := t.TempDir()
		name, target := filepath.Join(dir, "a"), filepath.Join(dir, "target")
		if err := os.WriteFile(target, []byte("precious"), 0o600); err != nil {
			t.Fatal(err)
		}
		err := Write(name, Options{Replace: replace}, func(w io.Writer) error {
			_, err := io.WriteString(w, "new")
			return errors.Join(err, os.Symlink(target, name))
		})
		if err == nil || read(t, target) != "precious" {
			t.Errorf("replace %v: %v, the target is %q", replace, err, read(t, target))
		}
		alone(t, dir, "a", "target")
	}
}

// The error of a full disk or a read-only folder names the target.
func TestRefused(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err) // not on this system
	}
	defer full.Close()
	if _, err := (&writer{"a", full}).Write([]byte("x")); !errors.Is(err, syscall.ENOSPC) || err.Error() != "write a: "+syscall.ENOSPC.Error() {
		t.Error(err)
	}
	if os.Geteuid() == 0 {
		return // root can write to every folder
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	if err := write(filepath.Join(dir, "a"), false, "x"); !errors.Is(err, os.ErrPermission) {
		t.Error(err)
	}
}

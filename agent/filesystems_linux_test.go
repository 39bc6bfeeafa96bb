package agent

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// A real file system without free inodes and with free bytes.
func TestFullOfInodes(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("mounting needs root")
	}
	dir := t.TempDir()
	image, point := filepath.Join(dir, "image"), filepath.Join(dir, "var/lib/kubelet")
	if err := os.MkdirAll(point, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(image, make([]byte, 4<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mkfs.ext4", "-q", "-N", "64", image).CombinedOutput(); err != nil {
		t.Skipf("mkfs.ext4 does not work here: %v: %s", err, out)
	}
	if out, err := exec.Command("mount", "-o", "loop", image, point).CombinedOutput(); err != nil {
		t.Skipf("loop devices do not work here: %v: %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", point).CombinedOutput(); err != nil {
			t.Errorf("unmount: %v: %s", err, out)
		}
	})
	for i := range 64 {
		if err := os.WriteFile(filepath.Join(point, fmt.Sprint(i)), nil, 0o600); err != nil {
			break // full
		}
	}
	h := newHost(Options{Root: dir, Signatures: builtin(t)}, realSystem(), newAbsent())
	h.timeouts = ample
	write(t, h, "/proc/1/mountinfo", "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n25 22 7:0 / /var/lib/kubelet rw - ext4 /dev/loop0 rw\n")
	r := &nodereport.Report{}
	if err := filesystems(t.Context(), h, r); err != nil {
		t.Fatal(err)
	}
	for _, fs := range r.Filesystems {
		if fs.Mount == "/var/lib/kubelet" {
			if fs.InodesUsedPercent != 100 || fs.InodesFree != 0 || fs.BytesUsedPercent > 50 || fs.Inodes == 0 {
				t.Errorf("it says %+v", fs)
			}
			return
		}
	}
	t.Errorf("the file system is missing: %+v", r)
}

package agent

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// For each node component, the process that is closest to its open file limit counts.
func TestOpenFiles(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("files of the super-user are counted")
	}
	root := t.TempDir()
	process := func(pid int, program string, files int, most string) {
		t.Helper()
		dir := filepath.Join(root, "proc", fmt.Sprint(pid))
		if err := os.MkdirAll(filepath.Join(dir, "fd"), 0o755); err != nil {
			t.Fatal(err)
		}
		for i := range files {
			if err := os.Symlink("/dev/null", filepath.Join(dir, "fd", fmt.Sprint(i))); err != nil {
				t.Fatal(err)
			}
		}
		for name, text := range map[string]string{
			"stat":    fmt.Sprintf("%d (%s) S 1 1 1 0 -1 4194560 0 0 0 0 0 0 0 0 20 0 9 0 100 0 0", pid, program),
			"cmdline": "/usr/bin/" + program + "\x00",
			"limits":  "Limit                     Soft Limit           Hard Limit           Units     \nMax processes             1                    1                    processes \nMax open files            " + most + "                 4096                 files     \n",
		} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	process(10, "containerd", 3, "1024")
	process(11, "containerd", 9, "10")
	process(12, "kubelet", 4, "unlimited")
	process(13, "java", 7, "8")
	limit := filepath.Join(root, "proc/sys/fs/inotify/max_user_instances")
	if err := os.MkdirAll(filepath.Dir(limit), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(limit, []byte("128\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	h := newHost(Options{Root: root}, folderSystem(), newAbsent())
	var r nodereport.Report
	if err := inotify(t.Context(), h, &r); err != nil {
		t.Fatal(err)
	}
	want := nodereport.Counter{Name: "open-files containerd", Used: 9, Max: 10, Ref: "/proc/11/limits"}
	if len(r.Counters) != 2 || r.Counters[0] != want || r.Counters[1].Name != "inotify-instances" {
		t.Errorf("%+v", r.Counters)
	}
}

// A process that cannot list open files of others still tests whether root can create another inotify instance. It
// names the missing capability and chart value.
func TestInotifyWithoutCounting(t *testing.T) {
	for name, c := range map[string]struct {
		user     int
		answer   error
		counters int
		says     string
	}{
		"one is left":      {0, nil, 0, "at least one instance is left"},
		"none is left":     {0, syscall.EMFILE, 1, "no instance is left"},
		"it cannot be had": {0, syscall.ENOSYS, 0, "no permission to list the files of 7 processes: "},
		"another user":     {1000, syscall.EMFILE, 0, "no permission to list the files of 7 processes: "},
	} {
		t.Run(name, func(t *testing.T) {
			sys := folderSystem()
			sys.user, sys.inotify = func() int { return c.user }, func() error { return c.answer }
			var r nodereport.Report
			newHost(Options{Root: t.TempDir()}, sys, newAbsent()).notCounted(&r, 7, 128)
			if len(r.Counters) != c.counters || len(r.Gaps) != 1 || !strings.Contains(r.Gaps[0].Why, c.says) {
				t.Fatalf("%+v %+v", r.Counters, r.Gaps)
			}
			if c.counters == 1 && (r.Counters[0].Used != 128 || r.Counters[0].Max != 128) {
				t.Errorf("%+v", r.Counters)
			}
		})
	}
}

// A denied call names the capability and its chart value.
func TestNeededNamesTheValue(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("another user is told that it needs root")
	}
	lacking := capability{"SYS_PTRACE", 63, "agent.ptrace"} // no process has capability 63
	if got := needed(&refused{os.ErrPermission, lacking}); !strings.Contains(got, "SYS_PTRACE") || !strings.Contains(got, "agent.ptrace of the chart") {
		t.Error(got)
	}
}

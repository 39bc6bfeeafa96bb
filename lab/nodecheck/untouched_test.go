//go:build linux

package nodecheck_test

import (
	"bufio"
	"context"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// changing lists the system calls that change something: files, their names and modes, mounts, clocks, settings, other
// processes.
var changing = []string{
	"kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal", "ptrace", "execve", "execveat", "reboot",
	"open", "openat", "openat2", "creat", "truncate", "ftruncate", "fallocate", "unlink", "unlinkat", "rename", "renameat", "renameat2",
	"mkdir", "mkdirat", "rmdir", "mknod", "mknodat", "link", "linkat", "symlink", "symlinkat", "chmod", "fchmod", "fchmodat", "chown",
	"fchown", "lchown", "fchownat", "utimensat", "utimes", "setxattr", "lsetxattr", "fsetxattr", "removexattr", "lremovexattr",
	"fremovexattr", "mount", "umount2", "mount_setattr", "move_mount", "pivot_root", "swapon", "swapoff", "settimeofday", "clock_settime",
	"adjtimex", "clock_adjtime", "sethostname", "init_module", "finit_module", "delete_module", "setns", "unshare", "prlimit64",
}

var (
	call = regexp.MustCompile(`^(\d+) +(\w+)\((.*)`)
	// answered is the rest of a call that another thread interrupted in the log: the mode of an adjtimex is known only
	// then.
	answered = regexp.MustCompile(`^(\d+) +<\.\.\. (adjtimex|clock_adjtime) resumed>(.*)`)
	// writes are the flags that open a file for changes or create it.
	writes = regexp.MustCompile(`O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND`)
)

// changedNothing checks the calls that strace recorded. The calls of the prefix end where node-check begins. Signals to
// itself (the Go runtime interrupts its own threads) and pure queries (adjtimex without a mode, prlimit64 of itself)
// are not changes.
func changedNothing(t *testing.T, calls string) {
	t.Helper()
	f, err := os.Open(calls)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	began, seen := "", 0
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		m := call.FindStringSubmatch(lines.Text())
		if m == nil {
			m = answered.FindStringSubmatch(lines.Text())
		}
		if m == nil || strings.HasPrefix(m[3], " <unfinished") {
			continue
		}
		task, name, args := m[1], m[2], m[3]
		if name == "execve" && strings.HasPrefix(args, `"`+program+`"`) {
			began, seen = task, 0
			continue
		}
		if began == "" {
			continue
		}
		seen++
		harmless := false
		switch name {
		case "open", "openat":
			harmless = !writes.MatchString(args)
		case "tgkill":
			harmless = strings.HasPrefix(args, began+",") && strings.Contains(args, "SIGURG")
		case "prlimit64":
			harmless = strings.HasPrefix(args, "0,")
		case "adjtimex", "clock_adjtime":
			harmless = strings.Contains(args, "modes=0,")
		}
		if !harmless {
			t.Errorf("node-check calls %s(%.200s", name, args)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if seen < 50 {
		t.Fatalf("only %d calls of node-check were seen: nothing is proven", seen)
	}
}

// state is the part of the node that a program could change.
type state struct{ processes, files []string }

// own are files that running components write themselves: the databases of containerd.
const own = `^(/var/lib/containerd/io\.containerd\.metadata\.v1\.bolt|/var/lib/containerd/io\.containerd\.snapshotter\.v1\.\w+)/(meta|metadata)\.db `

// stateOf reads it independently of node-check. It lists the processes of kubelet, runtime, shims and pods with their
// start times and whether they are stopped. It also lists every file in the folders of kubelet, runtime, network
// plugins and settings.
func stateOf(t *testing.T) state {
	t.Helper()
	var s state
	for line := range strings.Lines(on(t, "sh", "-c", "cat /proc/[0-9]*/stat 2>/dev/null || true")) {
		head, rest, _ := strings.Cut(line, ") ")
		fields := strings.Fields(rest)
		if _, name, _ := strings.Cut(head, " ("); len(fields) > 19 && slices.Contains([]string{"kubelet", "containerd", "containerd-shim", "pause"}, name) {
			stopped := ""
			if fields[0] == "T" {
				stopped = " stopped"
			}
			s.processes = append(s.processes, head+" started "+fields[19]+stopped)
		}
	}
	var err error
	if s.files, err = files(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(s.processes) < 4 || len(s.files) < 100 {
		t.Fatalf("only %d processes and %d files were found: nothing is proven", len(s.processes), len(s.files))
	}
	return s
}

// files returns the files in the folders of kubelet, runtime, network plugins and settings, with all attributes that
// show a change.
func files(ctx context.Context) ([]string, error) {
	out, err := node.Run(ctx, "find", "/var/lib/kubelet", "/var/lib/containerd", "/run/containerd", "/opt/cni", "/etc", "/var/lib/cni",
		"-printf", "%p %M %U:%G %s %T@ %l\n")
	if err != nil {
		return nil, err
	}
	var all []string
	left := regexp.MustCompile(own)
	for line := range strings.Lines(out) {
		if !left.MatchString(line) {
			all = append(all, strings.TrimSpace(line))
		}
	}
	slices.Sort(all)
	return all, nil
}

// compare returns the differences.
func (s state) compare(t *testing.T, now state) {
	t.Helper()
	for _, part := range [][2][]string{{s.processes, now.processes}, {s.files, now.files}} {
		for _, was := range part[0] {
			if !slices.Contains(part[1], was) {
				t.Errorf("gone or changed: %s", was)
			}
		}
		for _, is := range part[1] {
			if !slices.Contains(part[0], is) {
				t.Errorf("new or changed: %s", is)
			}
		}
	}
}

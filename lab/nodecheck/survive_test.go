//go:build linux

// Package nodecheck_test tests node-check on a real node with the problems that it measures: a full disk, no process
// IDs, no network, a hung runtime, a hung file system. It finishes in time, and changes nothing.
package nodecheck_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/lab"
)

// disk mounts a separate file system on the node, in a file.
func disk(t *testing.T, megabytes int64) string {
	t.Helper()
	dir, err := os.MkdirTemp(elsewhere, "nodetriage-nodecheck-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	image, mount := filepath.Join(dir, "image"), filepath.Join(dir, "mount")
	if err := errors.Join(os.Mkdir(mount, 0o755), os.WriteFile(image, nil, 0o600), os.Truncate(image, megabytes<<20)); err != nil {
		t.Fatal(err)
	}
	on(t, "mkfs.ext4", "-q", "-m", "0", image)
	on(t, "mount", "-o", "loop", image, mount)
	t.Cleanup(func() {
		if out, err := node.Run(context.Background(), "umount", "-l", mount); err != nil {
			t.Error(err, out)
		}
	})
	return mount
}

// fill uses the last free byte.
func fill(t *testing.T, dir string) {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, "ballast"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for size := 1 << 20; size > 0; {
		if _, err := f.Write(make([]byte, size)); err != nil {
			size /= 2
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "more"), make([]byte, 64<<10), 0o600); err == nil {
		t.Fatal("there is still room")
	}
}

// inside returns the prefix for a separate mount namespace in which these folders are mounted over others.
func inside(over map[string]string) []string {
	var script strings.Builder
	for to, from := range over {
		fmt.Fprintf(&script, "mount --bind %s %s && ", from, to)
	}
	return []string{"unshare", "--mount", "sh", "-c", script.String() + `exec "$@"`, "inside"}
}

// No free byte in the folder of the kubelet, in /tmp and at the output: node-check reports it, and leaves every file
// unchanged.
func TestFullDisk(t *testing.T) {
	mount := disk(t, 24)
	on(t, "sh", "-c", "cd "+mount+" && mkdir kubelet tmp && cp -a /var/lib/kubelet/config.yaml /var/lib/kubelet/pki kubelet")
	full := node.Path(mount)
	fill(t, full)
	before := on(t, "find", mount, "-printf", "%p %M %s %T@\n")
	r := look(t, inside(map[string]string{"/var/lib/kubelet": mount + "/kubelet", "/tmp": mount + "/tmp"})...)
	said := false
	for _, f := range r.Filesystems {
		said = said || f.Bytes < 32<<20 && f.Bytes > 0 && f.BytesFree < 64<<10
	}
	if !said {
		t.Errorf("the full file system is not in %+v", r.Filesystems)
	}
	if after := on(t, "find", mount, "-printf", "%p %M %s %T@\n"); before != after {
		t.Errorf("files changed:\n%s\n%s", before, after)
	}
	// If its output cannot be written, node-check reports it and does not exit with success.
	out, err := os.OpenFile(filepath.Join(full, "ballast"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd := exec.Command(program, "node-check", "-o", "json")
	var stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = out, &stderr
	if err := cmd.Run(); err == nil || cmd.ProcessState.ExitCode() != 1 || !strings.Contains(stderr.String(), "no space left") {
		t.Errorf("with a full disk for its output it ends with %v: %s", err, &stderr)
	}
}

// hang stops the runtime and the shims until the end of the test.
func hang(t *testing.T) {
	t.Helper()
	send := func(s syscall.Signal, shim string) error {
		runtime := node.Unit(lab.Containerd).Signal(s) // first: it starts no more shims
		_, err := node.Run(context.Background(), "pkill", shim, "containerd-shim")
		return errors.Join(runtime, err)
	}
	if err := send(syscall.SIGSTOP, "-STOP"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := send(syscall.SIGCONT, "-CONT"); err != nil {
			t.Error(err)
		}
	})
	deadline := time.Now().Add(5 * time.Minute)
	for slices.ContainsFunc(stateOf(t).processes, moves) { // a signal is delivered when its process runs next
		if time.Now().After(deadline) {
			t.Fatal("the runtime or a shim does not stand still")
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// moves reports whether a line of stateOf is a process of the runtime that is not stopped.
func moves(process string) bool {
	return strings.Contains(process, "(containerd") && !strings.HasSuffix(process, "stopped")
}

// A hung runtime and shim: node-check reports that the runtime does not answer, with the time that it waited, and it
// wakes no process.
func TestHungRuntime(t *testing.T) {
	hang(t)
	r := look(t)
	if r.Runtime.Answer != "hung" || r.Runtime.Latency < time.Second || !strings.Contains(r.Runtime.Message, "did not return") {
		t.Errorf("of the runtime it says %+v", r.Runtime)
	}
	if cause := r.verdict(t); cause != "runtime-hung" {
		t.Errorf("the first finding is %s", cause)
	}
	stopped := slices.DeleteFunc(stateOf(t).processes, func(p string) bool { return !strings.HasSuffix(p, "stopped") })
	if len(stopped) < 2 {
		t.Errorf("runtime and shim do not stand still any more: %s", stopped)
	}
}

// pidsGroup creates a cgroup with a task limit, or skips the test.
func pidsGroup(t *testing.T) string {
	t.Helper()
	for _, parent := range []string{"/sys/fs/cgroup/pids", "/sys/fs/cgroup"} {
		dir := filepath.Join(parent, fmt.Sprintf("nodetriage-nodecheck-%d", os.Getpid()))
		if err := os.Mkdir(dir, 0o755); err != nil {
			continue
		}
		t.Cleanup(func() {
			for range 50 {
				if os.Remove(dir) == nil {
					return
				}
				time.Sleep(100 * time.Millisecond)
			}
		})
		if _, err := os.Stat(filepath.Join(dir, "pids.max")); err == nil {
			return dir
		}
	}
	t.Skip("no control group can bound the number of tasks here")
	return ""
}

// reserved is the number of threads that node-check creates at its start (cmd/nodetriage/nodecheck.go), and two threads
// of Go: sysmon, and the template thread, which creates threads if a locked thread cannot.
const reserved = 32 + 2

// No process ID is left from the start of node-check, while it waits for a hung runtime. It still collects its data,
// because it has its threads and starts no other program. The test is repeated if the host is too busy to watch it
// without interruption.
func TestNoProcessIDs(t *testing.T) {
	group := pidsGroup(t)
	hang(t)
	for try := 1; ; try++ {
		if err := os.WriteFile(filepath.Join(group, "pids.max"), []byte("max"), 0o644); err != nil {
			t.Fatal(err)
		}
		r, full, err := lookStarved(t, group)
		if len(r.Filesystems) == 0 || r.Runtime.Answer != "hung" {
			t.Fatalf("of the runtime it says %+v; gaps: %+v", r.Runtime, r.Gaps)
		}
		if err == nil && full < r.Runtime.Latency*9/10 {
			err = fmt.Errorf("no process id was left for %s, while it waited for %s: little is proven", full, r.Runtime.Latency)
		}
		switch {
		case err == nil:
			return
		case try == 6:
			t.Fatal(err)
		}
		t.Log(err)
	}
}

// lookStarved runs node-check with no process ID left in its cgroup, and returns how long that was the case.
func lookStarved(t *testing.T, group string) (r report, full time.Duration, err error) {
	t.Helper()
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		full, err = takeAll(group, over)
	}()
	r = look(t, "sh", "-c", `echo $$ > `+group+`/cgroup.procs; exec "$@"`, "sh")
	close(over)
	<-done
	return r, full, err
}

// takeAll waits until node-check has its threads. It then uses every remaining process ID of the cgroup, including
// returned ones, and returns how long none was left. It never exceeds the limit, because the kernel would log it, and
// all nodes of a host share this log.
func takeAll(group string, over <-chan struct{}) (time.Duration, error) {
	var most, before int
	var first, last, grown time.Time
	for {
		now, err := number(group, "pids.current")
		if err != nil {
			return 0, err
		}
		switch {
		case most == 0 && now > before:
			before, grown = now, time.Now() // it is still using them up
		case most == 0 && now >= reserved && time.Since(grown) > 250*time.Millisecond, 0 < now && now < most:
			if err := os.WriteFile(filepath.Join(group, "pids.max"), []byte(strconv.Itoa(now)), 0o644); err != nil {
				return 0, err
			}
			if most == 0 {
				first = time.Now()
			}
			most, last = now, time.Now()
		case most > 0 && now >= most && time.Since(last) > 100*time.Millisecond:
			return 0, fmt.Errorf("for %s nobody watched whether a process id was left", time.Since(last))
		case most > 0 && now >= most:
			last = time.Now()
		}
		select {
		case <-over:
			return last.Sub(first), nil
		case <-time.After(time.Millisecond):
		}
	}
}

func number(group, file string) (int, error) {
	text, err := os.ReadFile(filepath.Join(group, file))
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(text)))
}

// Without a network, every request fails at once or times out, and all other data is present.
func TestNoNetwork(t *testing.T) {
	r := look(t, "unshare", "--net")
	if len(r.Filesystems) == 0 {
		t.Errorf("it saw nothing: %+v", r.Gaps)
	}
	for _, c := range r.Connections {
		if c.Answer == "ok" {
			t.Errorf("%s answered without a network", c.Peer)
		}
	}
}

// A log that never returns a byte, as a pipe without a writer: its reader is abandoned, or the file is reported as not
// a log.
func TestHungLog(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "syslog"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := look(t, inside(map[string]string{"/var/log": dir})...)
	said := slices.ContainsFunc(r.Gaps, func(g struct{ What, Why string }) bool {
		return strings.Contains(g.What+g.Why, "syslog") || g.What == "log files"
	})
	if !said && len(r.Hung) == 0 {
		t.Errorf("nothing is said of the log that hangs: %+v", r.Gaps)
	}
	if len(r.Filesystems) == 0 {
		t.Error("the rest is missing")
	}
}

// A frozen file system blocks writes, and node-check makes none: it finishes in time.
func TestFrozen(t *testing.T) {
	if _, err := exec.LookPath("fsfreeze"); err != nil {
		t.Skip("fsfreeze, of util-linux, is not installed")
	}
	mount := disk(t, 24)
	if out, err := node.Run(t.Context(), "fsfreeze", "-f", mount); err != nil {
		t.Skipf("it cannot be frozen here: %v: %s", err, out)
	}
	defer node.Run(context.Background(), "fsfreeze", "-u", mount)
	if r := look(t, "unshare", "--mount", "sh", "-c", "mount --bind "+mount+` /mnt && exec "$@"`, "sh"); len(r.Filesystems) == 0 {
		t.Error("it saw nothing")
	}
}

//go:build linux

// Package nodecheck_test holds node-check against what it measures: a full disk, no process ids, no network, a file
// system that hangs.
package nodecheck_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

var program string

// elsewhere is not /tmp, which one of the tests hides.
const elsewhere = "/var/tmp"

func TestMain(m *testing.M) {
	if os.Getuid() != 0 {
		fmt.Println("skipped: to fill disks and take process ids away needs root")
		return
	}
	dir, err := os.MkdirTemp(elsewhere, "nodetriage-nodecheck-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	program = filepath.Join(dir, "nodetriage")
	if out, err := exec.Command("go", "build", "-C", "../..", "-o", program, "./cmd/nodetriage").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v\n%s", err, out)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// report is as much of a node's report as the tests look at.
type report struct {
	Kind        string
	Filesystems []struct {
		Mount            string
		Bytes, BytesFree uint64
		BytesUsedPercent int
		Holds            []string
	}
	Counters []struct {
		Name      string
		Used, Max uint64
	}
	Connections []struct{ Peer, Answer string }
	Hung        []struct{ What, Name string }
	Gaps        []struct{ What, Why string }
}

// within is the longest that node-check may take: its slowest probe has 20 s.
const within = 40 * time.Second

// look runs node-check by way of what stands before it, and reads what it says.
func look(t *testing.T, before ...string) report {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	args := append(before, program, "node-check", "-o", "json")
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	begin := time.Now()
	_ = cmd.Run() // its code is the verdict
	var r report
	if err := json.Unmarshal(out.Bytes(), &r); err != nil || r.Kind != "NodeReport" {
		t.Fatalf("after %s: %v: %.300s %.300s", time.Since(begin), err, &out, &stderr)
	}
	t.Logf("after %s: %d gaps, %d hung", time.Since(begin).Round(time.Millisecond), len(r.Gaps), len(r.Hung))
	return r
}

// disk mounts a file system of its own, in a file.
func disk(t *testing.T, megabytes int64) string {
	t.Helper()
	dir, err := os.MkdirTemp(elsewhere, "nodetriage-nodecheck-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	image, mount := filepath.Join(dir, "image"), filepath.Join(dir, "mount")
	run := func(args ...string) {
		t.Helper()
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%q: %v: %s", args, err, out)
		}
	}
	if err := os.Mkdir(mount, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(image, megabytes<<20); err != nil {
		t.Fatal(err)
	}
	run("mkfs.ext4", "-q", "-m", "0", image)
	run("mount", "-o", "loop", image, mount)
	t.Cleanup(func() {
		if err := unix.Unmount(mount, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return mount
}

// fill takes the last byte.
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

// listing is every file below a folder with what would change if somebody touched it.
func listing(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil {
			out = append(out, fmt.Sprintf("%s %s %d %s", path, info.Mode(), info.Size(), info.ModTime()))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// inside is the way into mount names of its own, in which these folders lie over others.
func inside(over map[string]string) []string {
	var script strings.Builder
	for to, from := range over {
		fmt.Fprintf(&script, "mount --bind %s %s && ", from, to)
	}
	return []string{"unshare", "--mount", "sh", "-c", script.String() + `exec "$@"`, "inside"}
}

// A disk without a free byte below the kubelet's folder, /tmp and the output: it says so, and leaves every file as it is.
func TestFullDisk(t *testing.T) {
	mount := disk(t, 24)
	for _, dir := range []string{"lib/kubelet", "tmp"} {
		if err := os.MkdirAll(filepath.Join(mount, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	fill(t, mount)
	before := listing(t, mount)
	r := look(t, inside(map[string]string{"/var/lib": filepath.Join(mount, "lib"), "/tmp": filepath.Join(mount, "tmp")})...)
	full := false
	for _, f := range r.Filesystems {
		full = full || f.Bytes < 32<<20 && f.Bytes > 0 && f.BytesFree < 64<<10
	}
	if !full {
		t.Errorf("the full file system is not in %+v", r.Filesystems)
	}
	if after := listing(t, mount); !slices.Equal(before, after) {
		t.Errorf("files changed:\n%s\n%s", before, after)
	}
	// Nothing can be written to its output: that is said, and is no success.
	out, err := os.OpenFile(filepath.Join(mount, "ballast"), os.O_WRONLY|os.O_APPEND, 0)
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

// pidsGroup makes a control group that bounds the number of tasks, or skips the test.
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

// No process id is left after its own few threads: it looks all the same, for it starts no other program.
func TestNoProcessIDs(t *testing.T) {
	group := pidsGroup(t)
	// What the Go runtime needs to start; every probe that wants a thread more must wait for one.
	const few = "12"
	if err := os.WriteFile(filepath.Join(group, "pids.max"), []byte(few), 0o644); err != nil {
		t.Fatal(err)
	}
	r := look(t, "sh", "-c", `echo $$ > `+group+`/cgroup.procs; exec "$@"`, "sh")
	if len(r.Filesystems) == 0 {
		t.Errorf("it saw nothing: %+v", r.Gaps)
	}
}

// No network at all: every question to it fails at once or in time, and the rest is there.
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

// A log that never gives a byte, as a pipe without a writer: who reads it is left behind, or told that it is no log.
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

// A frozen file system takes no write, and node-check makes none: it answers in time.
func TestFrozen(t *testing.T) {
	if _, err := exec.LookPath("fsfreeze"); err != nil {
		t.Skip("fsfreeze, of util-linux, is not installed")
	}
	mount := disk(t, 24)
	if out, err := exec.Command("fsfreeze", "-f", mount).CombinedOutput(); err != nil {
		t.Skipf("it cannot be frozen here: %v: %s", err, out)
	}
	defer exec.Command("fsfreeze", "-u", mount).Run()
	if r := look(t, "unshare", "--mount", "sh", "-c", "mount --bind "+mount+` /mnt && exec "$@"`, "sh"); len(r.Filesystems) == 0 {
		t.Error("it saw nothing")
	}
}

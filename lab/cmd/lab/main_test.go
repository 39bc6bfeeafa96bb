//go:build linux

package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/lab"
)

// command builds lab and returns it with the programs in a separate cache, so that it does not affect the control
// planes of the user.
func command(t *testing.T) func(args ...string) *exec.Cmd {
	t.Helper()
	bin, err := lab.Build(t.Context(), os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	cache := t.TempDir()
	if err := os.Symlink(bin, filepath.Join(cache, filepath.Base(bin))); err != nil {
		t.Fatal(err)
	}
	program, err := lab.BuildOwn(".", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return func(args ...string) *exec.Cmd {
		cmd := exec.Command(program, args...)
		cmd.Env = append(os.Environ(), "NODETRIAGE_LAB_CACHE="+cache, "TMPDIR="+cache)
		return cmd
	}
}

// left lists the processes that still use the folder.
func left(t *testing.T, folder string) []string {
	t.Helper()
	var out []string
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range lines {
		text, _ := os.ReadFile(path)
		if bytes.Contains(text, []byte("--data-dir="+folder)) || bytes.Contains(text, []byte("--kubeconfig="+folder)) || bytes.Contains(text, []byte("="+folder+"/apiserver")) {
			out = append(out, string(bytes.ReplaceAll(text, []byte{0}, []byte(" "))))
		}
	}
	return out
}

func kubeconfigOf(t *testing.T, line string) string {
	t.Helper()
	path, ok := strings.CutPrefix(strings.TrimSpace(line), "export KUBECONFIG=")
	if !ok {
		t.Fatalf("lab said %q", line)
	}
	return path
}

// In the background: up, up again, load, down, and nothing is left behind.
func TestUpDown(t *testing.T) {
	lab := command(t)
	out, err := lab("up", "--name", "a", "--still").Output()
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Dir(kubeconfigOf(t, string(out)))
	again, err := lab("up", "--name", "a").Output()
	if err != nil || string(again) != string(out) {
		t.Errorf("a second up said %q, %v", again, err)
	}
	if out, err := lab("load", "--name", "a", "--nodes", "3", "--pods", "30", "--sick", "1").CombinedOutput(); err != nil || !strings.Contains(string(out), " objects in ") {
		t.Errorf("load: %s %v", out, err)
	}
	if out, err := lab("node", "add", "--name", "a", "--hollow", "3", "--zones", "2").CombinedOutput(); err != nil || string(out) != "hollow-1\nhollow-2\nhollow-3\n" {
		t.Errorf("node add: %s %v", out, err)
	}
	if out, err := lab("down", "--name", "a").CombinedOutput(); err != nil {
		t.Errorf("down: %s %v", out, err)
	}
	if _, err := os.Stat(folder); err == nil {
		t.Errorf("%s is still there", folder)
	}
	if list := left(t, folder); len(list) > 0 {
		t.Errorf("still running: %v", list)
	}
	if out, err := lab("down", "--name", "a").CombinedOutput(); err == nil || !strings.Contains(string(out), "there is no control plane a") {
		t.Errorf("a second down: %s %v", out, err)
	}
}

// In the foreground: Ctrl-C removes everything, and even a kill leaves no process behind.
func TestRunEnds(t *testing.T) {
	lab := command(t)
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGKILL} {
		cmd := lab("run")
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(stdout).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		folder := filepath.Dir(kubeconfigOf(t, line))
		if len(left(t, folder)) == 0 {
			t.Fatalf("no process uses %s", folder)
		}
		cmd.Process.Signal(signal)
		cmd.Wait()
		for deadline := time.Now().Add(5 * time.Minute); len(left(t, folder)) > 0 && time.Now().Before(deadline); {
			time.Sleep(50 * time.Millisecond)
		}
		if list := left(t, folder); len(list) > 0 {
			t.Errorf("after %s still running: %v", signal, list)
		}
		if _, err := os.Stat(folder); err == nil && signal == syscall.SIGINT {
			t.Errorf("after %s %s is still there", signal, folder)
		}
	}
}

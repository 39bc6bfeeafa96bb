//go:build unix

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// If a drain stops at any time while it fetches an agent's archive, no partial file has the name of an archive, and nothing was
// changed. The next drain fetches the whole archive.
func TestFetchingEndsAnywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts processes")
	}
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			body := strings.Repeat("evidence\n", 10_000)
			archive := filepath.Join(dir, "w1", "saved-20261127T173000Z.tar.gz")
			for name, text := range map[string]string{
				"objects.yaml":                           "items: [{apiVersion: v1, kind: Node, metadata: {name: w1}, spec: {}, status: {conditions: [{type: Ready, status: \"True\"}]}}]",
				"w1/report.json":                         fmt.Sprintf(`{"apiVersion": "nodetriage.dev/v1alpha1", "kind": "NodeReport", "saved": [{"file": %q, "bytes": %d}]}`, filepath.Base(archive), len(body)),
				"w1/" + filepath.Base(archive):           body,
				"w1/" + filepath.Base(archive) + ".half": "",
			} {
				if err := os.MkdirAll(filepath.Join(dir, "w1"), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			c, err := newCluster(dir)
			if err != nil {
				t.Fatal(err)
			}
			server := httptest.NewServer(http.HandlerFunc(c.api))
			t.Cleanup(func() { close(c.silent); server.Close() })
			if err := os.WriteFile(filepath.Join(dir, "kubeconfig"), kubeconfigOf(server.URL), 0o600); err != nil {
				t.Fatal(err)
			}
			drain := []string{"drain", "w1", "--yes"}
			state := filepath.Join(dir, "state", "nodetriage")
			p := start(t, dir, nil, drain...)
			until(t, p, func() bool { return largest(filepath.Join(state, ".nodetriage-*.tmp")) > 0 })
			if err := p.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			if code := p.ended(t); signal != syscall.SIGKILL && code != 128+int(signal) {
				t.Errorf("exit code %d: %s", code, p.err.String())
			}
			if signal != syscall.SIGKILL && (strings.Contains(p.out.String(), "DRAINED") || !strings.Contains(p.err.String(), "interrupted: fetch what agents saved")) {
				t.Errorf("it went on: %s%s", p.out.String(), p.err.String())
			}
			if left, _ := filepath.Glob(filepath.Join(state, "*.tar.gz")); len(left) > 0 {
				t.Errorf("half of an archive is left: %v", left)
			}
			if left, _ := filepath.Glob(filepath.Join(state, ".nodetriage-*")); signal != syscall.SIGKILL && len(left) > 0 {
				t.Errorf("%v is left", left)
			}
			if noted, _ := os.ReadFile(filepath.Join(dir, "requests")); !strings.Contains(string(noted), "/saved-") || strings.Contains(string(noted), "PATCH") {
				t.Errorf("it sent:\n%s", noted)
			}
			if err := os.Remove(archive + ".half"); err != nil {
				t.Fatal(err)
			}
			p = start(t, dir, nil, drain...)
			if code := p.ended(t); code != 0 {
				t.Errorf("exit code %d: %s", code, p.err.String())
			}
			if got, err := os.ReadFile(filepath.Join(state, "saved-w1-20261127T173000Z.tar.gz")); err != nil || string(got) != body {
				t.Errorf("%d bytes, %v", len(got), err)
			}
		})
	}
}

// until waits for what a process does.
func until(t *testing.T, p *process, done func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it did not come as far: %s", p.err.String())
		}
	}
}

// largest returns the size of the largest file that matches a pattern; -1 if none does.
func largest(pattern string) int64 {
	size := int64(-1)
	found, _ := filepath.Glob(pattern)
	for _, name := range found {
		if info, err := os.Stat(name); err == nil {
			size = max(size, info.Size())
		}
	}
	return size
}

//go:build unix

package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// process is the program itself, started by a test.
type process struct {
	*exec.Cmd
	out, err watched
}

// watched is the output of a process, with a wait for a part of it.
type watched struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.buf.Write(p)
}

func (w *watched) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.buf.String()
}

// start runs the test's own binary as the program.
func start(t *testing.T, dir string, stdin io.Reader, args ...string) *process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{Cmd: exec.Command(self, args...)}
	p.Env = append(os.Environ(), asProgram+"=1", "KUBECONFIG="+filepath.Join(dir, "kubeconfig"), "XDG_STATE_HOME="+filepath.Join(dir, "state"))
	p.Dir, p.Stdin, p.Stdout, p.Stderr = dir, stdin, &p.out, &p.err
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Process.Kill() })
	return p
}

// ended waits for the process and returns its exit code.
func (p *process) ended(t *testing.T) int {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- p.Wait() }()
	select {
	case err := <-done:
		var exit *exec.ExitError
		switch {
		case errors.As(err, &exit):
			return exit.ExitCode()
		case err != nil:
			t.Fatal(err)
		}
		return 0
	case <-time.After(patience):
		t.Fatalf("it did not end: %s", p.err.String())
		return 0
	}
}

// patience is how long a command may take on a busy machine. After that it counts as hanging.
const patience = 5 * time.Minute

// A read command ends with a signal, in every phase, with the exit code of the signal.
func TestSignalsEndCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts processes")
	}
	line := "Jun 02 00:30:01 worker-1 kubelet[1234]: E0602 00:30:01.123456    1234 kubelet.go:2466] \"Error getting node\" err=\"node \\\"worker-1\\\" not found\"\n"
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		for name, play := range map[string]func(t *testing.T) (*process, func()){
			"idle standard input": func(t *testing.T) (*process, func()) {
				r, w, err := os.Pipe()
				if err != nil {
					t.Fatal(err)
				}
				p := start(t, t.TempDir(), r, "diagnose", "-")
				return p, func() { // a whole pipe is read, so the program reads
					_, _ = w.WriteString(strings.Repeat(line, 4000))
					t.Cleanup(func() { w.Close() })
				}
			},
			"pipe with a name and a silent writer": func(t *testing.T) (*process, func()) {
				dir := t.TempDir()
				if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
					t.Skip(err)
				}
				return start(t, dir, nil, "diagnose", "./pipe"), func() {
					w, err := os.OpenFile(filepath.Join(dir, "pipe"), os.O_WRONLY, 0) // waits for the reader
					if err != nil {
						t.Fatal(err)
					}
					t.Cleanup(func() { w.Close() })
				}
			},
			"pipe with a name": func(t *testing.T) (*process, func()) {
				dir := t.TempDir()
				if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
					t.Skip(err)
				}
				p := start(t, dir, nil, "diagnose", "./pipe")
				return p, func() {
					w, err := os.OpenFile(filepath.Join(dir, "pipe"), os.O_WRONLY, 0) // waits for the reader
					if err != nil {
						t.Fatal(err)
					}
					t.Cleanup(func() { w.Close() })
					_, _ = w.WriteString(strings.Repeat(line, 4000))
				}
			},
			"archive without an end": func(t *testing.T) (*process, func()) {
				r, w, err := os.Pipe()
				if err != nil {
					t.Fatal(err)
				}
				p := start(t, t.TempDir(), r, "diagnose", "-")
				return p, func() {
					z, _ := gzip.NewWriterLevel(w, gzip.NoCompression) // more than a pipe holds: it is being read
					for range 4000 {
						_, _ = io.WriteString(z, line)
					}
					_ = z.Flush()
					t.Cleanup(func() { w.Close() })
				}
			},
			"collect": func(t *testing.T) (*process, func()) {
				r, w, err := os.Pipe()
				if err != nil {
					t.Fatal(err)
				}
				p := start(t, t.TempDir(), r, "collect", "-f", "-", "-o", "bundle.tar.gz")
				return p, func() {
					_, _ = w.WriteString(strings.Repeat(line, 4000))
					t.Cleanup(func() { w.Close() })
				}
			},
			"slow API server": func(t *testing.T) (*process, func()) {
				asked := make(chan struct{}, 100)
				release := make(chan struct{})
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					asked <- struct{}{}
					select {
					case <-release:
					case <-r.Context().Done():
					}
				}))
				t.Cleanup(func() { close(release); server.Close() })
				dir := t.TempDir()
				config := fmt.Sprintf("apiVersion: v1\nkind: Config\nclusters: [{name: c, cluster: {server: %q}}]\ncontexts: [{name: c, context: {cluster: c, user: u}}]\ncurrent-context: c\nusers: [{name: u, user: {}}]\n", server.URL)
				if err := os.WriteFile(filepath.Join(dir, "kubeconfig"), []byte(config), 0o600); err != nil {
					t.Fatal(err)
				}
				return start(t, dir, nil, "diagnose"), func() { <-asked }
			},
		} {
			t.Run(fmt.Sprintf("%s, %s", name, signal), func(t *testing.T) {
				t.Parallel()
				p, reached := play(t)
				reached()
				if err := p.Process.Signal(signal); err != nil {
					t.Fatal(err)
				}
				if code := p.ended(t); code != 128+int(signal) {
					t.Errorf("exit code %d, want %d: %s", code, 128+int(signal), p.err.String())
				}
				if strings.Contains(p.err.String(), "\r") || strings.Contains(p.out.String(), "\x1b") {
					t.Errorf("what is for terminals went into a pipe: %q", p.err.String())
				}
				if name == "pipe with a name" && !strings.Contains(p.out.String(), "interrupted") {
					t.Errorf("it does not say that what was read is not all:\n%s", p.out.String())
				}
				left, err := filepath.Glob(filepath.Join(p.Dir, "*.tar.gz"))
				if hidden, _ := filepath.Glob(filepath.Join(p.Dir, ".nodetriage-*")); err != nil || len(left)+len(hidden) > 0 && name != "collect" || len(hidden) > 0 {
					t.Errorf("files were left: %v %v", left, hidden)
				}
			})
		}
	}
}

// asProgram makes the test binary run the program.
const asProgram = "NODETRIAGE_TEST_PROGRAM"

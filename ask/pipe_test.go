//go:build unix

package ask

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A named pipe is read as long as it has a writer.
func TestNamedPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	go func() {
		data, _ := os.ReadFile(shop + "/cluster.yaml")
		_ = os.WriteFile(pipe, data, 0o600)
	}()
	s, err := Read(t.Context(), From{Source: Files{Paths: []string{pipe}}, Knowledge: knowing(t)}, Scope{})
	if err != nil || len(s.Data().Nodes) != 3 {
		t.Error(err)
	}
}

package agent

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// A socket with a server, one without, and one with a full queue.
func TestEndpoints(t *testing.T) {
	t.Parallel()
	h, _ := socketHost(t)
	listen := func(name string) net.Listener {
		p := filepath.Join(h.root, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		l, err := net.Listen("unix", p)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		return l
	}
	listen("var/lib/kubelet/device-plugins/kubelet.sock")
	gone := listen("var/lib/kubelet/plugins_registry/ebs-reg.sock")
	gone.(*net.UnixListener).SetUnlinkOnClose(false)
	gone.Close()
	full(t, filepath.Join(h.root, "var/lib/kubelet/plugins/disk/csi.sock"))
	r := &nodereport.Report{}
	if err := endpoints(t.Context(), h, r); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, e := range r.Endpoints {
		got[e.Kind] = e.Answer
	}
	for kind, want := range map[string]string{"kubelet": "ok", "plugin-registration": "refused", "csi": "hung"} {
		if got[kind] != want {
			t.Errorf("%s: %q, want %q", kind, got[kind], want)
		}
	}
}

// full creates a socket whose queue accepts no more connections.
func full(t *testing.T, name string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Close(fd) })
	if err := syscall.Bind(fd, &syscall.SockaddrUnix{Name: name}); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Listen(fd, 0); err != nil {
		t.Fatal(err)
	}
	for range 4 {
		c, err := net.DialTimeout("unix", name, 100e6)
		if err != nil {
			return
		}
		t.Cleanup(func() { c.Close() })
	}
}

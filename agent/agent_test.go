package agent

import (
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/evidence/redact"
)

// write creates a file below the root of a node.
func write(t *testing.T, h *Host, name, text string) {
	t.Helper()
	p := filepath.Join(h.root, name)
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// statfs never returns for a mount with a dead server. The probe names it, reads the others, and does not call statfs
// again until it returns.
func TestHungFileSystem(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, _ := socketHost(t)
		write(t, h, "/proc/1/mountinfo", "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n27 22 0:50 / /var/lib/kubelet/pods/0b1f/volumes/kubernetes.io~nfs/data rw - nfs4 10.0.0.9:/export rw\n")
		calls := make(chan string, 10)
		never := make(chan struct{})
		t.Cleanup(func() { close(never) })
		h.system.statfs = func(name string) (space, error) {
			calls <- name
			if strings.Contains(name, "nfs") {
				<-never
			}
			return space{bytes: 1 << 30, bytesFree: 1 << 29, bytesAvailable: 1 << 29, inodes: 100, inodesFree: 50}, nil
		}
		for range 2 {
			r := &nodereport.Report{}
			if err := filesystems(t.Context(), h, r); err != nil {
				t.Fatal(err)
			}
			if len(r.Filesystems) != 1 || r.Filesystems[0].BytesUsedPercent != 50 || r.Filesystems[0].InodesUsedPercent != 50 {
				t.Errorf("file systems: %+v", r.Filesystems)
			}
			if len(r.Hung) != 1 || r.Hung[0].Type != "nfs4" || r.Hung[0].After < h.timeouts.statfs {
				t.Errorf("hung: %+v", r.Hung)
			}
		}
		if n := len(calls); n != 3 {
			t.Errorf("statfs was called %d times, want 3: the hanging one once", n)
		}
	})
}

// A hanging probe is abandoned and named. It is not started again.
func TestProbeLeftBehind(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, _ := socketHost(t)
		never := make(chan struct{})
		t.Cleanup(func() { close(never) })
		var started atomic.Int32
		a := New(Options{Root: h.root, Signatures: builtin(t), Node: "worker-3"})
		write(t, h, "/etc/kubernetes/kubelet.conf", "") // makes it a node
		a.probes = []probe{
			{"sockets", 100 * time.Millisecond, func(context.Context, *Host, *nodereport.Report) error {
				started.Add(1)
				<-never
				return nil
			}, false},
			{"memory", time.Minute, func(_ context.Context, _ *Host, r *nodereport.Report) error {
				r.Memory = &nodereport.Memory{Total: 1}
				return nil
			}, false},
		}
		for range 2 {
			r := a.Look(t.Context())
			if r.Memory == nil || r.Node != "worker-3" {
				t.Errorf("the others are missing: %+v", r)
			}
			if len(r.Gaps) != 1 || r.Gaps[0].What != "sockets" || r.Gaps[0].How != "ss -xl" || len(r.Hung) != 1 {
				t.Errorf("gaps %+v, hung %+v", r.Gaps, r.Hung)
			}
		}
		if n := started.Load(); n != 1 {
			t.Errorf("the probe was started %d times", n)
		}
	})
}

// Logs that are FIFOs without a writer, folders, or links out of the root.
func TestOddFiles(t *testing.T) {
	t.Parallel()
	h, _ := socketHost(t)
	write(t, h, "/var/log/containerd.log", "")
	if err := syscall.Mkfifo(filepath.Join(h.root, "var/log/syslog"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(h.root, "var/log/messages"), 0o755); err != nil {
		t.Fatal(err)
	}
	secret := filepath.Join(t.TempDir(), "outside.log")
	if err := os.WriteFile(secret, []byte("PLEG is not healthy: pleg was last seen active 3m11s ago; threshold is 3m0s\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(h.root, "var/log/kubelet.log")); err != nil {
		t.Fatal(err)
	}
	r := &nodereport.Report{}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // a FIFO without a writer would block forever
	defer cancel()
	if err := logFiles(ctx, h, r); err != nil {
		t.Fatal(err)
	}
	if len(r.Messages) != 0 {
		t.Errorf("it read outside of the root: %+v", r.Messages)
	}
	for _, name := range []string{"/var/log/syslog", "/var/log/messages"} {
		if !slices.ContainsFunc(r.Gaps, func(g nodereport.Gap) bool { return g.What == name && strings.Contains(g.Why, "not a regular file") }) {
			t.Errorf("nothing is said of %s: %+v", name, r.Gaps)
		}
	}
}

func TestJournals(t *testing.T) {
	t.Parallel()
	h, _ := socketHost(t)
	h.now = fixtureTime
	h.since = h.now.Add(-time.Hour)
	h.system.kernelLog = func(*Host) (io.ReadCloser, error) { return nil, os.ErrPermission }
	f, err := os.Open("journal/testdata/compact-zstd.journal.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	write(t, h, "/var/log/journal/fedcba98/system.journal", string(data))
	write(t, h, "/var/log/journal/fedcba98/system@0005.journal~", "left by a crash")
	r := &nodereport.Report{}
	if err := journals(t.Context(), h, r); err != nil {
		t.Fatal(err)
	}
	found := map[string]nodereport.Message{}
	for _, m := range r.Messages {
		found[m.Signature] = m
	}
	pleg := found["kubelet-pleg-unhealthy"]
	if pleg.Count != 3 || pleg.Source != "journal" || !strings.HasPrefix(pleg.Text, "2026-03-01T09:55:00.000Z worker-3 kubelet[812]: E0301") || !pleg.Last.Equal(time.Date(2026, 3, 1, 9, 57, 0, 0, time.UTC)) {
		t.Errorf("the kubelet's messages of the last hour: %+v", pleg)
	}
	if m := found["kernel-conntrack-full"]; m.Count != 1 {
		t.Errorf("the kernel's own log may not be read, and its messages in the journal are missing: %+v", m)
	}
	if m := found["systemd-unit-main-exited"]; m.Count != 0 && !strings.Contains(m.Text, "kubelet.service") {
		t.Errorf("what systemd says of the kubelet: %+v", m)
	}
}

func TestNoJournal(t *testing.T) {
	t.Parallel()
	h, _ := socketHost(t)
	if err := journals(t.Context(), h, &nodereport.Report{}); err == nil {
		t.Error("without a journal it must say so")
	}
}

func TestRecent(t *testing.T) {
	since, now := fixtureTime.Add(-time.Hour), fixtureTime
	text := "2026-03-01T08:00:00Z old\n  goes on\n2026-03-01T09:30:00Z new\n  goes on too\n" + strings.Repeat("x", 3*maxLine) + "\n2026-03-01T08:59:00Z late\n"
	got, err := io.ReadAll(newRecent(strings.NewReader(text), since, now, now))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(got), "\n")
	if len(lines) != 4 || lines[0] != "2026-03-01T09:30:00Z new" || lines[1] != "  goes on too" || len(lines[2]) != maxLine {
		t.Errorf("it keeps %.200q", got)
	}
}

func TestSecretsStayOnTheNode(t *testing.T) {
	for in, want := range map[string]string{
		"Authorization: Bearer abcdefghijklmnopqrstuvwxyz0123": "Authorization: Bearer [redacted-authorization-1-16+]",
		`token="abcdefghijklmnop.qrstuvwx-yz"`:                 `token="[redacted-token-1-16+]"`,
		"no secret: 12 tokens were counted":                    "no secret: 12 tokens were counted",
	} {
		if got := redact.New(false).Text(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

// link creates a link to a path of the node.
func link(t *testing.T, h *Host, target, name string) {
	t.Helper()
	if err := os.Symlink(target, filepath.Join(h.root, name)); err != nil {
		t.Fatal(err)
	}
}

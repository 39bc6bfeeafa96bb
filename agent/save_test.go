package agent

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"path"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// Saved evidence is redacted and bounded, and hanging parts do not block it.
func TestSave(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, _ := socketHost(t)
		write(t, h, "/proc/42/stat", "42 (my app) D 1 1 1")
		write(t, h, "/proc/42/cmdline", "/usr/bin/app\x00--password=hunter2\x00")
		write(t, h, "/proc/42/task/42/stack", "[<0>] nfs_wait_bit_killable+0x1c/0x90")
		write(t, h, "/proc/pressure/io", "some avg10=90.00")
		large := make([]byte, 3<<20)
		if _, err := rand.Read(large); err != nil {
			t.Fatal(err)
		}
		now := time.Now().UTC().Format(time.RFC3339)
		write(t, h, "/var/log/syslog", strings.Repeat(now+" worker-3 kernel: "+hex.EncodeToString(large[:30000])+"\n", 60)+now+" worker-3 app: token=geheim\n")
		a := New(Options{Root: h.root, Signatures: builtin(t), Node: "worker/3"})
		never := make(chan struct{})
		t.Cleanup(func() { close(never) })
		a.system.kernelLog = func(*Host) (io.ReadCloser, error) { <-never; return nil, io.EOF } // hangs
		var out bytes.Buffer
		start := time.Now()
		hide := func(s string) string { return strings.ReplaceAll(s, "geheim", "[redacted]") }
		if err := a.Gather(t.Context()).Write(&out, &nodereport.Report{Node: "worker/3"}, hide); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("it took %s", took)
		}
		files := unpack(t, &out)
		for name, want := range map[string]string{
			"node-report.json": `"node":"worker/3"`, "for-people/processes.txt": "app", "for-people/kernel-stacks.txt": "nfs_wait_bit_killable",
			"for-people/tables.txt": "==> /proc/pressure/io <==\nsome avg10=90.00", "for-people/not-saved.txt": "dmesg.log: it did not return in time", "logs/var/log/syslog": "token=[redacted]",
		} {
			if !strings.Contains(files[name], want) {
				t.Errorf("%s lacks %q: %.300s", name, want, files[name])
			}
		}
		for name, text := range files {
			if strings.Contains(text, "hunter2") || strings.Contains(text, "geheim") {
				t.Errorf("%s shows a secret", name)
			}
		}
		if n := len(files["logs/var/log/syslog"]); n > maxSaveLog+100 {
			t.Errorf("of a log of 4 MB %d bytes are saved", n)
		}
	})
}

func unpack(t *testing.T, from io.Reader) map[string]string {
	t.Helper()
	z, err := gzip.NewReader(from)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for r := tar.NewReader(z); ; {
		head, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		name, ok := strings.CutPrefix(path.Clean(head.Name), "node-worker_3/")
		if !ok {
			t.Errorf("it saves %s", head.Name)
		}
		out[name] = string(data)
	}
}

// The newest bytes are kept, and writes of an abandoned probe are discarded.
func TestBounded(t *testing.T) {
	var b bounded
	for range 3 {
		if _, err := b.Write(bytes.Repeat([]byte("x"), maxPart/2)); err != nil {
			t.Fatal(err)
		}
	}
	_, _ = b.Write([]byte("end"))
	text := b.close()
	if len(text) > maxPart || !strings.HasSuffix(text, "end") {
		t.Errorf("%d bytes are kept", len(text))
	}
	if _, err := b.Write([]byte("more")); err == nil {
		t.Error("it takes more after its end")
	}
}

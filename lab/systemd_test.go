//go:build linux

package lab_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/lab"
)

// A node with systemd is Ready, systemd manages its units, the journal contains their logs, its kubelet answers a log
// query, and nothing remains after its end.
func TestSystemd(t *testing.T) {
	if err := lab.CanRunSystemd(); err != nil {
		t.Skip(err)
	}
	t.Parallel()
	c := machinePlane(t)
	if _, err := lab.BuildRoot(t.Context(), os.Stderr); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	m, err := c.AddSystemd(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("Ready after %s", time.Since(begin).Round(time.Millisecond))
	state := func(unit string) string {
		out, _ := m.Run(t.Context(), "systemctl", "show", "-P", "ActiveState", unit)
		return strings.TrimSpace(out)
	}
	containerd := m.Unit(lab.Containerd)
	mark, err := containerd.Mark()
	if err != nil {
		t.Fatal(err)
	}
	if err := containerd.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	eventually(t, 2*time.Minute, "systemd has started containerd again", func(context.Context) bool {
		said, err := containerd.Said(mark)
		return err == nil && strings.Contains(string(said), "Scheduled restart job") && state(lab.Containerd) == "active"
	})
	if err := containerd.Stop(); err != nil || state(lab.Containerd) != "inactive" {
		t.Errorf("containerd is %s after its stop: %v", state(lab.Containerd), err)
	}
	if err := containerd.Start(); err != nil {
		t.Fatal(err)
	}
	client, err := c.Client()
	if err != nil {
		t.Fatal(err)
	}
	answer, err := client.CoreV1().RESTClient().Get().SetHeader("Accept", "*/*").AbsPath("/api/v1/nodes", m.Name, "proxy/logs/").Param("query", "kubelet").DoRaw(t.Context())
	if err != nil || !strings.Contains(string(answer), "Started kubelet.service") {
		t.Errorf("the kubelet said %.200q of its log, %v", answer, err)
	}
	first := m.Path("/")
	c.Stop()
	if _, err := os.Stat(first); err == nil {
		t.Error("its first process is still there")
	}
	mounts, err := os.ReadFile("/proc/mounts")
	if err != nil || strings.Contains(string(mounts), c.Dir) {
		t.Errorf("mounts are left: %v", err)
	}
	if left := processesOf(t, c.Dir); len(left) > 0 {
		t.Errorf("processes are left: %q", left)
	}
	if left, _ := filepath.Glob("/sys/fs/cgroup/*/nodetriage-lab-*" + filepath.Base(c.Dir) + "*"); len(left) > 0 {
		t.Errorf("control groups are left: %q", left)
	}
}

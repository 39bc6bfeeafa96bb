//go:build linux

package agent_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/lab"
)

const unit = "nodetriage-agent.service"

// install installs the agent on the node as its package does, from the release if there is one, and returns a function
// that removes it.
func (w *world) install(t *testing.T) (remove func()) {
	t.Helper()
	do := func(args ...string) {
		t.Helper()
		if out, err := w.machine.Run(t.Context(), args...); err != nil {
			t.Fatalf("%q on the node: %v: %s", args, err, out)
		}
	}
	copied := func(from, to string, mode os.FileMode, change func([]byte) []byte) {
		t.Helper()
		data, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(w.machine.Path(to), change(data), mode)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	same := func(data []byte) []byte { return data }
	if *dist != "" {
		copied(released(t, "nodetriage-agent_*_"+runtime.GOARCH+".deb"), "/opt/agent.deb", 0o644, same)
		do("dpkg", "-i", "/opt/agent.deb")
		return func() { do("dpkg", "--purge", "nodetriage-agent") }
	}
	copied(filepath.Join(w.bin, "nodetriage-agent"), "/usr/bin/nodetriage-agent", 0o755, same)
	copied("../../deploy/"+unit, "/etc/systemd/system/"+unit, 0o644, func(text []byte) []byte {
		return bytes.ReplaceAll(text, []byte("/usr/local/bin/"), []byte("/usr/bin/")) // the nodes of the lab share the former
	})
	do("systemctl", "enable", "--now", unit)
	return func() {
		do("systemctl", "disable", "--now", unit)
		do("rm", "-r", "/usr/bin/nodetriage-agent", "/etc/systemd/system/"+unit, "/var/log/nodetriage")
	}
}

// As a systemd unit, the agent needs no registry, is served by the kubelet of any release, and runs while kubelet and
// runtime are stopped.
func TestUnit(t *testing.T) {
	w := newSystemd(t)
	remove := w.install(t)
	first := w.wellReport(t)
	if first.Node != w.machine.Name {
		t.Errorf("the report is of %q", first.Node)
	}
	if first.CNI.Network.File == "" || len(first.Certificates) == 0 || len(first.Filesystems) == 0 || len(first.Kubelet.Series) == 0 || len(first.Kubelet.Settings) == 0 {
		t.Errorf("it lacks the pod network, certificates, file systems, or what the kubelet measures and is told: %+v", first)
	}
	for _, g := range first.Gaps {
		t.Logf("not seen: %s: %s", g.What, g.Why)
		if strings.Contains(g.Why, "denied") || strings.Contains(g.Why, "not permitted") || strings.Contains(g.Why, "read-only") {
			t.Errorf("its unit does not let it see: %s: %s", g.What, g.Why)
		}
	}
	if out := w.diagnose(t, "--kubeconfig", w.plane.Kubeconfig, w.machine.Name); !strings.Contains(out, "agent on node/"+w.machine.Name) {
		t.Errorf("diagnose does not take its report: %s", out)
	}
	w.shell(t, "systemctl stop "+unit) // no run while only one of them is stopped; the test does not wait two minutes for the next run
	for _, name := range []string{lab.Kubelet, lab.Containerd} {
		if err := w.machine.Unit(name).Stop(); err != nil {
			t.Fatal(err)
		}
	}
	file := w.machine.Path(reports + "/report.json")
	w.shell(t, "cd "+reports+"; rm -f report.json saved.json saved-*; systemctl start "+unit)
	eventually(t, 3*time.Minute, "it reports without kubelet and runtime", func() bool {
		_, err := os.Stat(file)
		return err == nil
	})
	out := w.diagnose(t, "-f", file)
	for _, cause := range []string{"kubelet-stopped", "runtime-down"} {
		if !strings.Contains(out, `"cause": "`+cause+`"`) {
			t.Errorf("its report does not show %s: %s", cause, out)
		}
	}
	w.saves(t)
	w.agentSurvives(t)
	if restarts, err := w.machine.Run(t.Context(), "systemctl", "show", "-P", "NRestarts", unit); err != nil || strings.TrimSpace(restarts) != "0" {
		t.Errorf("systemd had to start it again %s times, %v", strings.TrimSpace(restarts), err)
	}

	remove()
	for _, left := range []string{"/usr/bin/nodetriage-agent", "/usr/lib/systemd/system/" + unit, "/etc/systemd/system/" + unit, "/etc/systemd/system/multi-user.target.wants/" + unit, "/var/log/nodetriage"} {
		if _, err := os.Lstat(w.machine.Path(left)); err == nil {
			t.Errorf("%s is left after the removal", left)
		}
	}
}

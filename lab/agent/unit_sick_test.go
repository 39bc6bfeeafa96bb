//go:build linux

package agent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/nodetriage/nodetriage/lab"
)

const reports = "/var/log/nodetriage"

func (w *world) shell(t *testing.T, script string) string {
	t.Helper()
	out, err := w.machine.Run(t.Context(), "sh", "-ec", script)
	if err != nil {
		t.Fatalf("%s: %v: %s", script, err, out)
	}
	return strings.TrimSpace(out)
}

// saves stops kubelet and runtime of a node. It checks that the agent saves the data that a reboot destroys, and that
// this archive is sufficient for the diagnosis. The kubelet serves the archive when it runs again, and a drain fetches
// it first.
func (w *world) saves(t *testing.T) {
	t.Helper()
	var file string
	eventually(t, 3*time.Minute, "evidence of the sick node is saved", func() bool {
		found, err := filepath.Glob(w.machine.Path(reports + "/saved-*.tar.gz"))
		if err != nil || len(found) > 1 {
			t.Fatalf("%v, %v", found, err)
		}
		file = strings.Join(found, "")
		return file != ""
	})
	out := w.diagnose(t, "-f", file)
	for _, cause := range []string{"kubelet-stopped", "runtime-down"} {
		if !strings.Contains(out, `"cause": "`+cause+`"`) {
			t.Errorf("what was saved does not show %s: %s", cause, out)
		}
	}
	for _, name := range []string{lab.Containerd, lab.Kubelet} {
		if err := w.machine.Unit(name).Start(); err != nil {
			t.Fatal(err)
		}
	}
	w.shell(t, "systemctl restart "+unit)
	var r *report
	eventually(t, 3*time.Minute, "its report lists what was saved", func() bool {
		r = w.report(t)
		return r != nil && len(r.Saved) == 1 && r.Saved[0].File == filepath.Base(file)
	})
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got []byte
	eventually(t, 3*time.Minute, "the kubelet hands out what was saved", func() bool {
		got = w.proxied(t, filepath.Base(file))
		return got != nil
	})
	if !bytes.Equal(got, want) || r.Saved[0].Bytes != int64(len(want)) {
		t.Errorf("the kubelet hands out %d bytes of %d", len(got), len(want))
	}

	drain := exec.CommandContext(t.Context(), filepath.Join(w.bin, "nodetriage"), "drain", w.machine.Name, "--yes", "--kubeconfig", w.plane.Kubeconfig)
	state := t.TempDir()
	drain.Env = append(os.Environ(), "XDG_STATE_HOME="+state)
	if out, err := drain.CombinedOutput(); err != nil {
		t.Errorf("drain: %v: %s", err, out)
	}
	fetched := filepath.Join(state, "nodetriage", "saved-"+w.machine.Name+strings.TrimPrefix(filepath.Base(file), "saved"))
	if got, err := os.ReadFile(fetched); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the drain has fetched %d bytes of %d, %v", len(got), len(want), err)
	}
	uncordon := []byte(`{"spec": {"unschedulable": null}}`)
	if _, err := w.client.CoreV1().Nodes().Patch(t.Context(), w.machine.Name, types.MergePatchType, uncordon, metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
}

// served returns the report on the port of the agent.
func (w *world) served(t *testing.T) *report {
	t.Helper()
	out, err := w.machine.Run(t.Context(), "curl", "-sf", "--max-time", "5", "http://127.0.0.1:10299/report")
	var r report
	if err != nil || json.Unmarshal([]byte(out), &r) != nil {
		return nil
	}
	return &r
}

// looksOn waits for two more reports on the port of the agent: the second one contains the event. On a busy machine a
// probe may be late in it; then the next report counts.
func (w *world) looksOn(t *testing.T, what string) *report {
	t.Helper()
	begin := time.Now()
	var r *report
	defer func() {
		if t.Failed() {
			t.Logf("its last report: %+v", r)
		}
	}()
	eventually(t, 5*time.Minute, what, func() bool {
		r = w.served(t)
		return r != nil && time.Since(begin) > 20*time.Second && r.TakenAt.After(begin.Add(10*time.Second)) && !silent(r)
	})
	return r
}

// freeze makes the disk of the reports hang until the test ends. The kernel must not log it meanwhile, because all
// nodes of the lab share one kernel log.
func (w *world) freeze(t *testing.T) {
	t.Helper()
	const warnAfter = "/proc/sys/kernel/hung_task_timeout_secs"
	if was, err := os.ReadFile(warnAfter); err == nil && os.WriteFile(warnAfter, []byte("0"), 0o644) == nil {
		t.Cleanup(func() { _ = os.WriteFile(warnAfter, was, 0o644) })
	}
	t.Cleanup(func() { _, _ = w.machine.Run(context.Background(), "fsfreeze", "-u", reports) }) // the file system is gone or already thawed
	w.shell(t, "fsfreeze -f "+reports)
}

// agentSurvives checks that the agent continues if it can start no process, and if the disk of its reports hangs.
func (w *world) agentSurvives(t *testing.T) {
	t.Helper()
	w.shell(t, `systemctl stop `+unit+`
mkdir -p /etc/systemd/system/`+unit+`.d
printf '[Service]\nExecStart=\nExecStart=/usr/bin/nodetriage-agent -every 10s\n' > /etc/systemd/system/`+unit+`.d/often.conf
truncate -s 24M /var/lib/reports.img; mkfs.ext4 -q /var/lib/reports.img; mount -o loop /var/lib/reports.img `+reports+`
systemctl daemon-reload; systemctl start `+unit)
	w.looksOn(t, "it looks every ten seconds")

	w.shell(t, `systemctl set-property --runtime `+unit+` TasksMax=$(($(systemctl show -P TasksCurrent `+unit+`) + 2))`)
	if r := w.looksOn(t, "it looks where it can start no process"); r.Runtime.Answer != "ok" || r.Kubelet.Healthz != "ok" {
		t.Errorf("without another process it sees less: %+v", r.Gaps)
	}
	eventually(t, time.Minute, "the journal has that it looks without another process", func() bool { // may be later than the report
		return strings.Contains(w.shell(t, "journalctl -u "+unit), "look without another process")
	})
	w.shell(t, `systemctl set-property --runtime `+unit+` TasksMax=infinity`)

	w.freeze(t)
	hangs := func(r *report) bool {
		for _, g := range r.Gaps {
			if g.What == "reports in "+reports {
				return true
			}
		}
		return false
	}
	eventually(t, 5*time.Minute, "it looks on, and says that its disk hangs", func() bool {
		r := w.served(t)
		return r != nil && hangs(r)
	})
	if r := w.looksOn(t, "it goes on while its disk hangs"); !hangs(r) || r.Runtime.Answer != "ok" {
		t.Errorf("while the disk hangs: %+v", r.Gaps)
	}
	w.shell(t, "fsfreeze -u "+reports)
	thawed := time.Now()
	eventually(t, 5*time.Minute, "it writes again", func() bool {
		r := w.report(t)
		return r != nil && r.TakenAt.After(thawed) && !hangs(r)
	})
	w.shell(t, `systemctl stop `+unit+`; umount `+reports+`; rm -r /var/lib/reports.img /etc/systemd/system/`+unit+`.d; systemctl daemon-reload; systemctl start `+unit)
}

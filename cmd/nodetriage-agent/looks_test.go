package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/agent"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// sickRoot is a copy of a node's files whose kubelet is unreachable. Its log contains a secret.
func sickRoot(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for file, text := range map[string]string{
		"var/lib/kubelet/config.yaml":    "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n",
		"var/lib/kubelet/kubeconfig":     "",
		"etc/hostname":                   "worker-3\n",
		"proc/1/net/softnet_stat":        "00000000 00000005\n",
		"proc/sys/kernel/random/boot_id": "11111111-2222-3333-4444-555555555555\n",
		"proc/1/mountinfo":               "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n",
		"proc/sys/kernel/pid_max":        "32768\n",
		"proc/loadavg":                   "9.00 9.00 9.00 1/99 4321\n",
		"var/log/syslog":                 time.Now().UTC().Format("2006-01-02T15:04:05Z") + " worker-3 kubelet[1]: password=hunter2 cannot be used\n",
	} {
		name := filepath.Join(root, file)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// newLooks takes snapshots of a folder, and stores the results in another.
func newLooks(t *testing.T, root string, args ...string) *looks {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("a program finds itself in /proc")
	}
	dir := filepath.Join(t.TempDir(), "reports")
	return &looks{
		children: children{args: append([]string{"-root", root, "-dir", dir}, args...)},
		own:      looker{opt: agent.Options{Root: root, Pace: time.Nanosecond}, store: store{dir}},
	}
}

// all takes a snapshot and returns its outcomes.
func all(t *testing.T, l *looks, before carried) []outcome {
	t.Helper()
	var out []outcome
	if err := l.look(t.Context(), before, func(o outcome) { out = append(out, o) }); err != nil {
		t.Fatal(err)
	}
	if len(out) == 0 {
		t.Fatal("a look tells nothing")
	}
	return out
}

func reportIn(t *testing.T, o outcome) *nodereport.Report {
	t.Helper()
	var r nodereport.Report
	if err := json.Unmarshal(o.Report, &r); err != nil || r.Kind != nodereport.Kind {
		t.Fatalf("%v: %.300s", err, o.Report)
	}
	return &r
}

// A child process takes each snapshot with the counters of the previous one.
func TestLooksInChildren(t *testing.T) {
	t.Parallel()
	l := newLooks(t, sickRoot(t))
	first := all(t, l, carried{})
	if l.said != "" {
		t.Fatal(l.said)
	}
	second := all(t, l, first[len(first)-1].Carried)
	if i := slices.IndexFunc(reportIn(t, second[0]).Tallies, func(t nodereport.Tally) bool { return t.Name == "backlog-drop" && t.Window > 0 }); i < 0 {
		t.Errorf("the second look does not know the first: %s", second[0].Report)
	}
	if reportIn(t, first[0]).Node != "worker-3" {
		t.Errorf("it is another node's: %.200s", first[0].Report)
	}
}

// The agent takes the snapshot in its own process if no child can start.
func TestLooksAlone(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(*looks){
		"the child dies":           func(l *looks) { l.children.args = []string{"-no-such-flag"} },
		"a child hangs":            func(l *looks) { l.children.last = &child{ended: make(chan struct{})} },
		"there are no process ids": func(l *looks) { l.own.opt.Root = full(t) },
	} {
		t.Run(name, func(t *testing.T) {
			l := newLooks(t, sickRoot(t))
			make(l)
			out := all(t, l, carried{})
			if reportIn(t, out[0]).Node != "worker-3" || l.said == "" {
				t.Errorf("said %q: %.200s", l.said, out[0].Report)
			}
		})
	}
}

// full is the root of a node with nearly all process IDs in use.
func full(t *testing.T) string {
	root := sickRoot(t)
	if err := os.WriteFile(filepath.Join(root, "proc/sys/kernel/pid_max"), []byte("100\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return root
}

// A terminated child ends the snapshot. The agent does not repeat it.
func TestLooksEnd(t *testing.T) {
	l := newLooks(t, sickRoot(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.look(ctx, carried{}, func(outcome) { t.Error("it goes on") }); err == nil {
		t.Error("it does not say that it was ended")
	}
}

// A hanging call is not repeated until its process has exited.
func TestHangingIsCarried(t *testing.T) {
	t.Parallel()
	since := time.Now().Add(-time.Hour).Truncate(time.Second)
	calls := map[string]time.Time{"probe clock": since}
	l := newLooks(t, sickRoot(t))
	l.hanging = []hanging{func() map[string]time.Time { return maps.Clone(calls) }}
	out := all(t, l, carried{})
	r := reportIn(t, out[0])
	if len(r.Hung) != 1 || r.Hung[0].Name != "clock" || r.Hung[0].After < time.Hour || r.Clock != nil || len(l.hanging) != 2 {
		t.Errorf("what hangs: %+v, %d looks left behind", r.Hung, len(l.hanging))
	}
	clear(calls)
	out = all(t, l, out[len(out)-1].Carried)
	if r := reportIn(t, out[0]); len(r.Hung) != 0 || len(l.hanging) != 1 {
		t.Errorf("what hung before: %+v, %d looks left behind", r.Hung, len(l.hanging))
	}
}

// While the disk for reports hangs, no further write starts, and the report shows the gap.
func TestHungDisk(t *testing.T) {
	t.Parallel()
	l := newLooks(t, sickRoot(t))
	out := false
	l.hanging = []hanging{func() map[string]time.Time {
		if out {
			return nil
		}
		return map[string]time.Time{writing: time.Now().Add(-61 * time.Minute)}
	}}
	told := all(t, l, carried{})
	last := told[len(told)-1]
	r := reportIn(t, told[0])
	if last.Failed == "" || last.Gaps != len(r.Gaps) || !slices.ContainsFunc(r.Gaps, func(g nodereport.Gap) bool { return strings.Contains(g.Why, "has not returned for 1h") }) {
		t.Errorf("%q: %+v", last.Failed, r.Gaps)
	}
	if _, err := os.Stat(filepath.Join(l.own.store.dir, reportFile)); err == nil {
		t.Error("it wrote all the same")
	}
	out = true
	told = all(t, l, last.Carried)
	if _, err := os.Stat(filepath.Join(l.own.store.dir, reportFile)); err != nil || told[len(told)-1].Failed != "" {
		t.Errorf("it does not write again: %v, %q", err, told[len(told)-1].Failed)
	}
}

// When its node becomes unhealthy, the agent saves the evidence that a reboot destroys, once and without secrets. It
// keeps the newest three archives.
func TestSaves(t *testing.T) {
	t.Parallel()
	l := newLooks(t, sickRoot(t))
	look := func(before carried) (*nodereport.Report, carried) {
		t.Helper()
		out := all(t, l, before)
		last := out[len(out)-1]
		if last.Failed != "" || !last.Carried.Sick {
			t.Fatalf("%+v", last)
		}
		return reportIn(t, out[0]), last.Carried
	}
	r, first := look(carried{})
	list := first.Saved
	if len(list) != 1 || list[0].Why != "kubelet: error" || list[0].Bytes == 0 {
		t.Fatalf("saved: %+v", list)
	}
	if _, after := look(carried{}); len(after.Saved) != 1 {
		t.Errorf("within ten minutes it saves again: %+v", after.Saved)
	}
	aged := first
	aged.Saved = []nodereport.Saved{{File: list[0].File, At: list[0].At.Add(-time.Hour), Why: list[0].Why, Bytes: list[0].Bytes}}
	index, err := json.Marshal(aged.Saved)
	if err == nil {
		err = os.WriteFile(filepath.Join(l.own.store.dir, savedIndex), index, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if again, after := look(aged); len(after.Saved) != 1 || len(again.Saved) != 1 || again.Saved[0] != aged.Saved[0] {
		t.Errorf("it saves again while the node is sick: %+v, its report lists %+v", after.Saved, again.Saved)
	}

	a := agent.New(l.own.opt)
	for i := range 4 {
		r.TakenAt = list[0].At.Add(time.Duration(i+1) * time.Hour)
		if !saveAgain(l.own.store.saved(), r.TakenAt) {
			t.Error("it does not save an hour later")
		}
		if _, err := l.own.store.save(a.Gather(t.Context()), r); err != nil {
			t.Fatal(err)
		}
	}
	list = l.begin(t.Context()).Saved // as after a start
	files, err := filepath.Glob(filepath.Join(l.own.store.dir, "saved-*"))
	if err != nil || len(files) != nodereport.KeptSaved || len(list) != nodereport.KeptSaved || !list[0].At.Equal(r.TakenAt) || filepath.Base(files[nodereport.KeptSaved-1]) != list[0].File {
		t.Fatalf("there are %v, told as %+v, %v", files, list, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil || int64(len(data)) != list[nodereport.KeptSaved-1].Bytes {
		t.Errorf("%d bytes, told as %d, %v", len(data), list[nodereport.KeptSaved-1].Bytes, err)
	}
	if text := unpacked(t, data); !strings.Contains(text, "cannot be used") || strings.Contains(text, "hunter2") {
		t.Errorf("the log is not there, or its secret is: %s", text)
	}
}

// unpacked returns all files of an archive, concatenated.
func unpacked(t *testing.T, archive []byte) string {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A full disk does not stop the agent: it serves the report and counts the failure.
func TestServesWithoutDisk(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	l := newLooks(t, sickRoot(t), "-dir", filepath.Join(file, "below"))
	d := &daemon{look: l.look}
	get := func(handler http.HandlerFunc) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		handler(w, httptest.NewRequest(http.MethodGet, "/", nil))
		return w
	}
	if w := get(d.report); w.Code != http.StatusServiceUnavailable {
		t.Errorf("before the first look it answers %d", w.Code)
	}
	d.once(t.Context())
	w := get(d.report)
	var r nodereport.Report
	if err := json.Unmarshal(w.Body.Bytes(), &r); err != nil || r.Node != "worker-3" || w.Header().Get("Age") == "" {
		t.Errorf("it serves %s, age %q (%v)", w.Body, w.Header().Get("Age"), err)
	}
	if text := get(d.metrics).Body.String(); !strings.Contains(text, "nodetriage_agent_write_failures_total 1\n") || !strings.Contains(text, "nodetriage_agent_looks_total 1\n") {
		t.Errorf("figures:\n%s", text)
	}
}

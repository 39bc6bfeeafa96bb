//go:build linux

package agent_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/lab"
)

// A debug pod of kubectl sees the node below /host, and diagnose reads its output.
func TestDebugPod(t *testing.T) {
	w := newWorld(t)
	kubectl, err := lab.BuildKubectl(t.Context(), os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	var data []byte
	var r *report
	eventually(t, 5*time.Minute, "a debug pod sees all in time", func() bool {
		cmd := exec.CommandContext(t.Context(), kubectl, "--kubeconfig", w.plane.Kubeconfig, "debug", "node/"+w.machine.Name,
			"--profile=sysadmin", "--image="+image, "--image-pull-policy=Never", "--", "/nodetriage-agent", "-once", "-root=/host")
		out, err := cmd.CombinedOutput()
		name := regexp.MustCompile(`node-debugger-[a-z0-9-]+`).Find(out)
		if err != nil || name == nil {
			t.Fatalf("%v: %s", err, out)
		}
		data, r = w.printed(t, "default", string(name))
		return !late(r)
	})
	if r.Node != w.machine.Name || r.Runtime.Answer != "ok" || r.Kubelet.Healthz != "ok" || len(r.Certificates) == 0 || !answer(r, "ok") {
		t.Errorf("it sees not all of its node: %+v", *r)
	}
	file := filepath.Join(t.TempDir(), "report.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if out := w.diagnose(t, "-f", file); !strings.Contains(out, `"kind": "Report"`) {
		t.Errorf("diagnose does not take it: %s", out)
	}
}

// A user who is not root gets a list of everything that cannot be read, with the required permission. Everything else
// is reported.
func TestUnprivileged(t *testing.T) {
	w := newWorld(t)
	if _, err := w.machine.Run(t.Context(), "install", filepath.Join(w.bin, "nodetriage"), "/opt/nodetriage"); err != nil {
		t.Fatal(err)
	}
	as := []string{"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--bounding-set=-all", "--no-new-privs"}
	look := func(args ...string) (string, int) {
		cmd := w.machine.Command(t.Context(), append(append(as, "/opt/nodetriage", "node-check"), args...)...)
		var out, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &stderr
		_ = cmd.Run() // the exit code is the verdict
		if stderr.Len() > 0 {
			t.Errorf("it says: %s", &stderr)
		}
		return out.String(), cmd.ProcessState.ExitCode()
	}
	var r report
	var table string
	var code int
	eventually(t, 5*time.Minute, "as text it ends as in JSON, in which all was seen in time", func() bool { // on a busy machine two runs may differ
		text, first := look("-o", "json")
		r = report{}
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			t.Fatalf("%v: %.300s", err, text)
		}
		table, code = look("-o", "wide")
		if late(&r) || code != first {
			t.Logf("as text it ends with %d, as JSON with %d: %+v", code, first, r)
			return false
		}
		return true
	})
	if code != 0 && code != 3 && code != 4 && code != 5 {
		t.Errorf("it ends with %d", code)
	}
	why := map[string]string{}
	for _, g := range r.Gaps {
		t.Logf("not seen: %s: %s", g.What, g.Why)
		why[g.What] = g.Why
	}
	for _, what := range []string{"runtime", "kernel log", "inotify instances", "API server", "network configuration"} {
		if !strings.HasSuffix(why[what], "it needs root") {
			t.Errorf("of %s it says %q", what, why[what])
		}
	}
	for what, reason := range why {
		if refused := strings.Contains(reason, "permission denied") || strings.Contains(reason, "not permitted"); refused && !strings.HasSuffix(reason, "it needs root") {
			t.Errorf("of %s it does not say what it needs: %s", what, reason)
		}
	}
	if r.Kubelet.Healthz != "ok" || len(r.Filesystems) == 0 {
		t.Errorf("what everybody may see is missing: %+v", r)
	}
	if strings.Contains(table, "cni-config-invalid") {
		t.Errorf("what may not be read is called broken: %s", table)
	}
	if _, list, ok := strings.Cut(strings.Join(strings.Fields(table), " "), "Not checked"); !ok || !strings.Contains(list, "it needs root") {
		t.Errorf("what was not checked is not said: %s", table)
	}
}

//go:build linux

package nodecheck_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// shortOfIDs creates a PID namespace with 399 process IDs, and uses all except that many. The limit of its kernel is
// reached, as on a full machine; the other tests and the host have separate limits.
const shortOfIDs = `echo 400 > /proc/sys/kernel/pid_max && i=0 && while [ $i -lt %d ]; do sleep 300 & i=$((i+1)); done; exec "$@"`

// With fewer process IDs, node-check runs fewer probes in parallel. With almost none, it reports this and everything
// that it could still read. It never dies of it.
func TestFewProcessIDs(t *testing.T) {
	if !ownLimits(t) {
		t.Skip("this kernel has one limit of process ids for all name spaces: before 6.14")
	}
	for _, free := range []int{90, 40, 20, 14, 10} {
		t.Run(strconv.Itoa(free), func(t *testing.T) {
			r := lookShort(t, free)
			for tries := 1; tries < 3 && r.late("report-runtime"); tries++ { // a runtime that waits for a CPU
				r = lookShort(t, free)
			}
			if r.Tasks.Max != 400 {
				t.Errorf("of the limit it says %+v", r.Tasks)
			}
			if cause := r.verdict(t); cause != "pid-exhaustion" {
				t.Errorf("the first finding is %s", cause)
			}
			if free >= 20 && (r.Runtime.Answer != "ok" || len(r.Filesystems) == 0) {
				t.Errorf("it could see more: runtime %+v, %d file systems", r.Runtime, len(r.Filesystems))
			}
		})
	}
}

// lookShort runs node-check with that many remaining process IDs.
func lookShort(t *testing.T, free int) report {
	t.Helper()
	script := fmt.Sprintf(shortOfIDs, 398-free)
	args := append([]string{"unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c", script, "sh"}, node.NodeCheck(program)...)
	cmd := node.Command(t.Context(), args...)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	begin := time.Now()
	_ = cmd.Run() // the exit code is the verdict
	r := report{text: out.Bytes()}
	if err := json.Unmarshal(r.text, &r); err != nil || r.Kind != "NodeReport" {
		t.Fatalf("after %s it says %.300s, and then %.600s", time.Since(begin), &out, &stderr)
	}
	t.Logf("after %s: %d gaps, runtime %q, %d file systems", time.Since(begin).Round(time.Millisecond), len(r.Gaps), r.Runtime.Answer, len(r.Filesystems))
	for _, g := range r.Gaps {
		t.Logf("not seen: %s: %s", g.What, g.Why)
	}
	return r
}

// ownLimits reports whether each PID namespace has a separate limit.
func ownLimits(t *testing.T) bool {
	t.Helper()
	var name unix.Utsname
	if err := unix.Uname(&name); err != nil {
		t.Fatal(err)
	}
	var major, minor int
	if _, err := fmt.Sscanf(unix.ByteSliceToString(name.Release[:]), "%d.%d", &major, &minor); err != nil {
		t.Fatal(err)
	}
	_, err := os.Stat("/proc/sys/kernel/pid_max")
	return err == nil && (major > 6 || major == 6 && minor >= 14) && strings.TrimSpace(on(t, "id", "-u")) == "0"
}

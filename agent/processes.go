package agent

import (
	"context"
	"errors"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/wording"
)

// stuckAfter is how long a task must stay in the kernel without a context switch to be stuck.
const stuckAfter = 2 * time.Second

// maxReportedProcesses bounds the listed processes.
const maxReportedProcesses = 200

// processes finds kubelet and runtime processes, counts shims, and lists stuck tasks in uninterruptible sleep. It reads
// twice because a task that waits for a disk moves on.
func processes(ctx context.Context, h *Host, r *nodereport.Report) error {
	var blocked []process
	before := map[int]string{}
	shims := 0
	found := map[string]bool{}
	for p := range h.eachProcess() {
		name := path.Base(p.args[0])
		switch {
		case components.IsShim(name):
			shims++
		case components.OfProcess(name) != nil:
			found[name] = true
			r.Processes = append(r.Processes, listed(p))
		}
		if p.state == "D" {
			blocked = append(blocked, p)
			before[p.pid] = h.switches(p.pid)
		}
	}
	if len(h.pids()) == 0 {
		return errors.New("/proc shows no process")
	}
	r.Runtime = &nodereport.Runtime{Shims: &shims}
	if len(blocked) == 0 {
		return nil
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(stuckAfter):
	}
	for _, p := range blocked {
		if again, stuck := h.stuckSince(p.pid, before[p.pid]); stuck && len(r.Processes) < maxReportedProcesses {
			r.Processes = append(r.Processes, listed(again))
		}
	}
	return nil
}

// stuckSince returns the process if it is still blocked and did not run since its context switches were counted.
func (h *Host) stuckSince(pid int, switches string) (process, bool) {
	now, ok := h.process(pid)
	if !ok || now.state != "D" || switches == "" {
		return process{}, false
	}
	return now, h.switches(pid) == switches
}

func listed(p process) nodereport.Process {
	command := wording.Cut(strings.Join(p.args, " "), 200)
	return nodereport.Process{PID: p.pid, State: p.state, Command: command, Ref: strconv.Itoa(p.pid) + " " + p.state + " " + command}
}

// switches returns the context switch counters of a task as text for comparison.
func (h *Host) switches(pid int) string {
	var out []string
	for line := range strings.Lines(h.text("/proc/" + strconv.Itoa(pid) + "/status")) {
		if strings.Contains(line, "ctxt_switches") {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return strings.Join(out, " ")
}

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

// stuckAfter is how long a task must wait in the kernel without being run once before it is called stuck.
const stuckAfter = 2 * time.Second

// processes finds kubelet and runtime among the processes, counts the runtime's shims, and names tasks that the kernel does not
// let go. It looks twice: a task that only waits for a disk has moved by then.
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
		again, ok := h.process(p.pid)
		if len(r.Processes) < 200 && ok && again.state == "D" && before[p.pid] != "" && h.switches(p.pid) == before[p.pid] {
			r.Processes = append(r.Processes, listed(again))
		}
	}
	return nil
}

func listed(p process) nodereport.Process {
	command := wording.Cut(strings.Join(p.args, " "), 200)
	return nodereport.Process{PID: p.pid, State: p.state, Command: command, Ref: strconv.Itoa(p.pid) + " " + p.state + " " + command}
}

// switches are the counts of how often a task was put to work, as text to compare.
func (h *Host) switches(pid int) string {
	var out []string
	for line := range strings.Lines(h.text("/proc/" + strconv.Itoa(pid) + "/status")) {
		if strings.Contains(line, "ctxt_switches") {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return strings.Join(out, " ")
}

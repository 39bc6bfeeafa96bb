package agent

import (
	"context"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// watchFor is the observation window without a previous snapshot.
const watchFor = time.Second

// totals are counters at a time since boot.
type totals struct {
	At     time.Duration     `json:"at"`
	Values map[string]uint64 `json:"values"`
}

// tallies counts failures: untracked connections, packets dropped from a full backlog, and OOM kills by cgroup. It
// reports totals, and the change within a second or since the previous snapshot. A total does not show when a failure
// happened; the window does.
func tallies(ctx context.Context, h *Host, r *nodereport.Report) error {
	mark := &h.before.tallies
	mark.mu.Lock()
	defer mark.mu.Unlock()
	now := h.readTallies()
	if len(now) == 0 {
		return fmt.Errorf("none of %s, /proc/1/net/softnet_stat and memory.events of control groups can be read", conntrackStat)
	}
	if mark.was.Values == nil && !h.paced {
		mark.was = totalsOf(now, h.system.running())
		pause(ctx, watchFor)
		now = h.readTallies()
	}
	at := h.system.running()
	for i := range now {
		t := &now[i]
		if before, known := mark.was.Values[t.Name]; known && before <= t.Total {
			t.Window, t.InWindow = (at - mark.was.At).Round(time.Millisecond), t.Total-before
		}
	}
	mark.was = totalsOf(now, at)
	r.Tallies = now
	return nil
}

func totalsOf(list []nodereport.Tally, at time.Duration) totals {
	out := totals{at, map[string]uint64{}}
	for _, t := range list {
		out.Values[t.Name] = t.Total
	}
	return out
}

const conntrackStat = "/proc/1/net/stat/nf_conntrack"

func (h *Host) readTallies() []nodereport.Tally {
	var out []nodereport.Tally
	add := func(name string, total uint64, ref string) {
		out = append(out, nodereport.Tally{Name: name, Total: total, Ref: fmt.Sprintf("%s: %d", ref, total)})
	}
	if sums := hexColumns(h.text(conntrackStat)); sums != nil {
		for _, column := range []string{"drop", "early_drop", "insert_failed"} {
			add("conntrack-"+strings.ReplaceAll(column, "_", "-"), sums[column], conntrackStat+" "+column)
		}
	}
	// The second column counts packets dropped from a full backlog (kernel net/core/net-procfs.c softnet_seq_show).
	dropped, read := uint64(0), false
	for line := range strings.Lines(h.text("/proc/1/net/softnet_stat")) {
		if f := strings.Fields(line); len(f) > 1 {
			if n, err := strconv.ParseUint(f[1], 16, 64); err == nil {
				dropped, read = dropped+n, true
			}
		}
	}
	if read {
		add("backlog-drop", dropped, "/proc/1/net/softnet_stat")
	}
	if tcp := pairs(h.text("/proc/1/net/netstat"), "TcpExt:"); len(tcp) > 0 {
		add("listen-drop", tcp["ListenOverflows"], "/proc/1/net/netstat ListenOverflows")
	}
	for _, group := range h.watchedGroups() {
		if n, name, ok := h.killedIn(group); ok {
			add("oom-kill "+group, n, name)
		}
	}
	return out
}

// hexColumns sums the columns of a hexadecimal table with a header and a line per CPU.
func hexColumns(text string) map[string]uint64 {
	var names []string
	var sums map[string]uint64
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if names == nil {
			names = f
			continue
		}
		if sums == nil {
			sums = map[string]uint64{}
		}
		for i := range min(len(f), len(names)) {
			if n, err := strconv.ParseUint(f[i], 16, 64); err == nil {
				sums[names[i]] += n
			}
		}
	}
	return sums
}

// maxGroups bounds the cgroups whose OOM kills are counted.
const maxGroups = 60

// watchedGroups returns the cgroups of node services and of all pods.
func (h *Host) watchedGroups() []string {
	out := []string{"kubepods.slice", "kubepods"}
	for _, parent := range []string{"system.slice", "runtime.slice", "kubelet.slice"} {
		out = append(out, parent)
		for _, unit := range startedUnits {
			out = append(out, path.Join(parent, unit))
		}
	}
	return out[:min(len(out), maxGroups)]
}

// killedIn returns the OOM kills of a cgroup (kernel Documentation/admin-guide/cgroup-v2.rst, memory.events; of version
// 1, memory.oom_control).
func (h *Host) killedIn(group string) (uint64, string, bool) {
	for _, name := range []string{"/sys/fs/cgroup/" + group + "/memory.events", "/sys/fs/cgroup/memory/" + group + "/memory.oom_control"} {
		for line := range strings.Lines(h.text(name)) {
			if f := strings.Fields(line); len(f) == 2 && f[0] == "oom_kill" {
				n, err := strconv.ParseUint(f[1], 10, 64)
				return n, name + " oom_kill", err == nil
			}
		}
	}
	return 0, "", false
}

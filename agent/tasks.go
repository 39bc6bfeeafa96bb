package agent

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// tasks counts processes and threads against the limits of the machine and of the pod cgroups.
func tasks(_ context.Context, h *Host, r *nodereport.Report) error {
	data, err := h.read("/proc/loadavg", maxFile)
	if err != nil {
		return err
	}
	load := strings.Fields(string(data))
	if len(load) < 4 {
		return fmt.Errorf("read /proc/loadavg: %q shows no number of tasks", strings.Join(load, " "))
	}
	_, all, _ := strings.Cut(load[3], "/")
	current, err := strconv.Atoi(all)
	if err != nil {
		return fmt.Errorf("read /proc/loadavg: %w", err)
	}
	limit := uint64(0)
	for _, name := range []string{"pid_max", "threads-max"} {
		if n, ok := h.number("/proc/sys/kernel/" + name); ok && n > 0 && (limit == 0 || n < limit) {
			limit = n
		}
	}
	r.Tasks = &nodereport.Tasks{Current: current, Max: int(limit), Ref: fmt.Sprintf("%d tasks, at most %d (/proc/loadavg, pid_max, threads-max)", current, limit)}
	for _, group := range []string{"kubepods.slice", "kubepods", "system.slice"} {
		for _, dir := range []string{"/sys/fs/cgroup/", "/sys/fs/cgroup/pids/"} {
			used, ok := h.number(dir + group + "/pids.current")
			most, limited := h.number(dir + group + "/pids.max") // "max" means no limit
			if ok && limited {
				r.Counters = append(r.Counters, nodereport.Counter{Name: "pids " + group, Used: used, Max: most, Ref: dir + group})
			}
		}
	}
	return nil
}

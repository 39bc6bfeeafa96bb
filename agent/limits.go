package agent

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/wording"
)

// limits counts kernel resources against their limits: file handles, tracked connections, neighbours, open files of the
// node's programs, and inotify instances and watches.
func limits(ctx context.Context, h *Host, r *nodereport.Report) error {
	handles, err := h.read("/proc/sys/fs/file-nr", maxFile)
	if f := strings.Fields(string(handles)); len(f) == 3 {
		used, _ := strconv.ParseUint(f[0], 10, 64)
		if most, err := strconv.ParseUint(f[2], 10, 64); err == nil && most > 0 {
			r.Counters = append(r.Counters, nodereport.Counter{Name: "file-handles", Used: used, Max: most, Ref: "/proc/sys/fs/file-nr"})
		}
	}
	if used, ok := h.number("/proc/sys/net/netfilter/nf_conntrack_count"); ok {
		if most, ok := h.number("/proc/sys/net/netfilter/nf_conntrack_max"); ok && most > 0 {
			r.Counters = append(r.Counters, nodereport.Counter{Name: "conntrack", Used: used, Max: most, Ref: "/proc/sys/net/netfilter/nf_conntrack_count"})
		}
	}
	if table := h.text("/proc/net/arp"); table != "" {
		if most, ok := h.number("/proc/sys/net/ipv4/neigh/default/gc_thresh3"); ok && most > 0 {
			used := uint64(strings.Count(table, "\n")) // the first line is the header
			r.Counters = append(r.Counters, nodereport.Counter{Name: "neighbours", Used: used, Max: most, Ref: "/proc/net/arp"})
		}
	}
	return errors.Join(err, inotify(ctx, h, r))
}

// inotify counts the instances and watches of root: the limits are per user, and nearly everything on a node runs as
// root. It also counts the open files of each program. A process that cannot list files of others, such as the agent
// without SYS_PTRACE, creates one instance as a test instead.
func inotify(ctx context.Context, h *Host, r *nodereport.Report) error {
	instances, ok := h.number("/proc/sys/fs/inotify/max_user_instances")
	if !ok {
		return nil
	}
	watches, _ := h.number("/proc/sys/fs/inotify/max_user_watches")
	var held, watched uint64
	var most uint64
	name, hidden := "", 0
	files := map[string]nodereport.Counter{}
	for p := range h.eachProcess() {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("count inotify instances: %w", err)
		}
		all, i, w, err := h.filesOf(p.pid)
		if os.IsPermission(err) {
			hidden++
			continue
		}
		held, watched = held+i, watched+w
		if program := path.Base(p.args[0]); components.OfProcess(program) != nil {
			files[program] = fuller(files[program], h.openFiles(program, p.pid, all))
		}
		if i > most {
			most, name = i, fmt.Sprintf("%s (process %d) has %d instances", path.Base(p.args[0]), p.pid, i)
		}
	}
	for _, program := range slices.Sorted(maps.Keys(files)) {
		if files[program].Max > 0 {
			r.Counters = append(r.Counters, files[program])
		}
	}
	if hidden > 0 {
		h.notCounted(r, hidden, instances)
		return nil
	}
	r.Counters = append(r.Counters, nodereport.Counter{Name: "inotify-instances", Used: held, Max: instances, Note: wording.Cut(name, 200), Ref: "/proc/*/fd"})
	if watches > 0 {
		r.Counters = append(r.Counters, nodereport.Counter{Name: "inotify-watches", Used: watched, Max: watches, Ref: "/proc/*/fdinfo"})
	}
	return nil
}

// notCounted records that the files of some processes are not readable, and whether root can create another inotify
// instance.
func (h *Host) notCounted(r *nodereport.Report, processes int, instances uint64) {
	another := ""
	if h.system.user() == 0 { // the limit of another user does not concern the node
		switch err := h.system.inotify(); {
		case errors.Is(err, syscall.EMFILE):
			another = ", and no instance is left"
			r.Counters = append(r.Counters, nodereport.Counter{
				Name: "inotify-instances", Used: instances, Max: instances, Note: "the kernel rejects another instance (EMFILE)", Ref: "inotify_init1",
			})
		case err == nil:
			another = ", but at least one instance is left"
		}
	}
	err := fmt.Errorf("no permission to list the files of %d processes%s: %w", processes, another, os.ErrPermission)
	gap(r, "inotify instances", &refused{err, traceAll}, "run as root")
}

// openFiles returns the number of open files of a process and its limit (proc(5), /proc/PID/limits).
func (h *Host) openFiles(program string, pid int, open uint64) nodereport.Counter {
	file := "/proc/" + strconv.Itoa(pid) + "/limits"
	c := nodereport.Counter{Name: "open-files " + wording.Cut(program, 60), Used: open, Ref: file}
	for line := range strings.Lines(h.text(file)) {
		if limit, ok := strings.CutPrefix(line, "Max open files"); ok {
			soft, _, _ := strings.Cut(strings.TrimSpace(limit), " ")
			c.Max, _ = strconv.ParseUint(soft, 10, 64) // "unlimited" is not a number
		}
	}
	return c
}

// fuller returns the counter that is closer to its limit.
func fuller(a, b nodereport.Counter) nodereport.Counter {
	if b.Max > 0 && (a.Max == 0 || b.Used*a.Max > a.Used*b.Max) {
		return b
	}
	return a
}

// filesOf counts open files and inotify instances and watches of one root process.
func (h *Host) filesOf(pid int) (all, instances, watches uint64, err error) {
	dir := "/proc/" + strconv.Itoa(pid)
	if info, err := h.stat(dir); err != nil || ownerOf(info) != 0 {
		return 0, 0, 0, nil
	}
	p, err := h.path(dir + "/fd")
	if err != nil {
		return 0, 0, 0, err
	}
	entries, err := os.ReadDir(p)
	if err != nil {
		return 0, 0, 0, err
	}
	all = uint64(len(entries))
	for _, e := range entries {
		target, err := os.Readlink(path.Join(p, e.Name()))
		if os.IsPermission(err) {
			return 0, 0, 0, err
		}
		if target != "anon_inode:inotify" {
			continue // or closed meanwhile
		}
		instances++
		if info, err := h.read(dir+"/fdinfo/"+e.Name(), maxFile); err == nil {
			watches += uint64(strings.Count(string(info), "inotify wd:"))
		}
	}
	return all, instances, watches, nil
}

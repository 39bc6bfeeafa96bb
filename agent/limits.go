package agent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/nodereport"
	"github.com/nodetriage/nodetriage/wording"
)

// limits counts what the kernel hands out up to a limit: file handles, tracked connections, neighbours and
// inotify instances and watches.
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
			used := uint64(strings.Count(table, "\n")) // one line is the head
			r.Counters = append(r.Counters, nodereport.Counter{Name: "neighbours", Used: used, Max: most, Ref: "/proc/net/arp"})
		}
	}
	return errors.Join(err, inotify(ctx, h, r))
}

// inotify counts the instances and watches of the super-user: the limits are per user, and nearly everything
// on a node runs as root.
func inotify(ctx context.Context, h *Host, r *nodereport.Report) error {
	instances, ok := h.number("/proc/sys/fs/inotify/max_user_instances")
	if !ok {
		return nil
	}
	watches, _ := h.number("/proc/sys/fs/inotify/max_user_watches")
	var held, watched uint64
	var most uint64
	name, hidden := "", 0
	for p := range h.eachProcess() {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("count inotify instances: %w", err)
		}
		i, w, err := h.inotifyOf(p.pid)
		if os.IsPermission(err) {
			hidden++
			continue
		}
		held, watched = held+i, watched+w
		if i > most {
			most, name = i, fmt.Sprintf("%s (process %d) holds %d instances", path.Base(p.args[0]), p.pid, i)
		}
	}
	if hidden > 0 {
		err := fmt.Errorf("the files of %d processes may not be listed: %w", hidden, os.ErrPermission)
		gap(r, "inotify instances", &refused{err, traceAll}, "run as root")
		return nil
	}
	r.Counters = append(r.Counters, nodereport.Counter{Name: "inotify-instances", Used: held, Max: instances, Note: wording.Cut(name, 200), Ref: "/proc/*/fd"})
	if watches > 0 {
		r.Counters = append(r.Counters, nodereport.Counter{Name: "inotify-watches", Used: watched, Max: watches, Ref: "/proc/*/fdinfo"})
	}
	return nil
}

// inotifyOf counts what one process of the super-user holds.
func (h *Host) inotifyOf(pid int) (instances, watches uint64, err error) {
	dir := "/proc/" + strconv.Itoa(pid)
	if info, err := h.stat(dir); err != nil || ownerOf(info) != 0 {
		return 0, 0, nil
	}
	p, err := h.path(dir + "/fd")
	if err != nil {
		return 0, 0, err
	}
	entries, err := os.ReadDir(p)
	if err != nil {
		return 0, 0, err
	}
	for _, e := range entries {
		target, err := os.Readlink(path.Join(p, e.Name()))
		if os.IsPermission(err) {
			return 0, 0, err
		}
		if target != "anon_inode:inotify" {
			continue // or closed since
		}
		instances++
		if info, err := h.read(dir+"/fdinfo/"+e.Name(), maxFile); err == nil {
			watches += uint64(strings.Count(string(info), "inotify wd:"))
		}
	}
	return instances, watches, nil
}

package agent

import (
	"context"
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/wording"
)

// mountsUsed counts the mounts of the node against the limit of the kernel. It returns the most frequent mount path,
// which indicates a mount leak.
func mountsUsed(_ context.Context, h *Host, r *nodereport.Report) error {
	data, err := h.read("/proc/1/mountinfo", 16<<20)
	if err != nil && h.root == "/" {
		data, err = h.read("/proc/self/mountinfo", 16<<20)
	}
	if err != nil {
		return err
	}
	limit, ok := h.number("/proc/sys/fs/mount-max")
	if !ok {
		return fmt.Errorf("/proc/sys/fs/mount-max cannot be read")
	}
	c := nodereport.Counter{Name: "mounts", Max: limit, Ref: "/proc/1/mountinfo"}
	times := map[string]int{}
	most := ""
	for line := range strings.Lines(string(data)) {
		m, ok := parseMount(line)
		if !ok {
			continue
		}
		c.Used++
		if times[m.point]++; times[m.point] > times[most] {
			most = m.point
		}
	}
	if n := times[most]; n > 2 {
		c.Note = wording.Cut(fmt.Sprintf("%s is mounted %d times", most, n), 300)
	}
	r.Counters = append(r.Counters, c)
	return nil
}

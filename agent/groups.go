package agent

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// groups counts cgroups, and deleted cgroups that the kernel cannot free (dying descendants).
func groups(_ context.Context, h *Host, r *nodereport.Report) error {
	g := &nodereport.Groups{}
	for line := range strings.Lines(h.text("/proc/cgroups")) {
		if f := strings.Fields(line); len(f) == 4 && f[0] == "memory" {
			g.Memory, _ = strconv.ParseUint(f[2], 10, 64)
			g.Ref = strings.Join(f, " ")
		}
	}
	for line := range strings.Lines(h.text("/sys/fs/cgroup/cgroup.stat")) {
		if f := strings.Fields(line); len(f) == 2 && f[0] == "nr_dying_descendants" {
			if n, err := strconv.ParseUint(f[1], 10, 64); err == nil {
				g.Dying = &n
			}
		}
	}
	if g.Memory == 0 && g.Dying == nil {
		return errors.New("neither /proc/cgroups nor cgroup.stat contains the number of cgroups")
	}
	if g.Dying != nil {
		g.Ref = strings.TrimSpace(fmt.Sprintf("%s nr_dying_descendants %d", g.Ref, *g.Dying))
	}
	r.Groups = g
	return nil
}

package agent

import (
	"context"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// plain are probes that read a few small kernel files and never block.
var plain = []string{"tasks", "machine", "memory", "pressure", "listeners", "links"}

// LookSlowly runs one probe after another, the plain ones first, to use few threads. After each probe it delivers the
// report so far with the pending probes as gaps. If the process dies, the last report is left.
func (a *Agent) LookSlowly(ctx context.Context, sofar func(*nodereport.Report) error) error {
	host, report, probes := a.begin()
	probes = slices.Clone(probes)
	slices.SortStableFunc(probes, func(x, y probe) int { return rankOf(x) - rankOf(y) })
	for i, p := range probes {
		a.ask(ctx, p, host).join(report, p)
		now := *report
		now.Gaps = append(slices.Clone(report.Gaps), notAsked(probes[i+1:], "node-check ended before this check started")...)
		if err := sofar(&now); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// LookAlone runs only the plain probes, in the thread of the caller. It works if no thread or process can be started.
func (a *Agent) LookAlone(ctx context.Context) *nodereport.Report {
	host, report, probes := a.begin()
	var left []probe
	for _, p := range probes {
		if rankOf(p) == len(plain) {
			left = append(left, p)
			continue
		}
		part := &nodereport.Report{}
		err := p.look(ctx, host, part)
		answer{part, err}.join(report, p)
	}
	report.Gaps = append(report.Gaps, notAsked(left, "no process id was left for a thread that could ask")...)
	return report
}

// rankOf returns the index of a plain probe, and the number of them for any other.
func rankOf(p probe) int {
	if i := slices.Index(plain, p.name); i >= 0 {
		return i
	}
	return len(plain)
}

func notAsked(probes []probe, why string) []nodereport.Gap {
	var out []nodereport.Gap
	for _, p := range probes {
		out = append(out, nodereport.Gap{What: p.name, Why: why, How: p.how()})
	}
	return out
}

// PlentyOfTasks is how many free processes and threads are needed to run all probes in parallel. A Go program that
// cannot start a thread dies.
const PlentyOfTasks = 64

// FreeTasks returns how many processes and threads can be started: what is left of the kernel limit and of the cgroup
// limits of this process. It is -1 if unknown.
func (a *Agent) FreeTasks() int {
	host := newHost(a.opt, a.system, a.absent)
	free := -1
	left := func(used, most uint64) {
		if n := int(max(most, used) - used); free < 0 || n < free {
			free = n
		}
	}
	part := &nodereport.Report{}
	if err := tasks(context.Background(), host, part); err == nil && part.Tasks.Max > 0 {
		left(uint64(part.Tasks.Current), uint64(part.Tasks.Max))
	}
	for line := range strings.Lines(host.text("/proc/self/cgroup")) {
		f := strings.SplitN(strings.TrimSpace(line), ":", 3) // cgroups(7): 0::PATH, or ID:CONTROLLERS:PATH
		if len(f) != 3 || f[1] != "" && !slices.Contains(strings.Split(f[1], ","), "pids") {
			continue
		}
		dir := "/sys/fs/cgroup"
		if f[1] != "" {
			dir += "/pids"
		}
		for path := f[2]; path != ""; path = path[:strings.LastIndexByte(path, '/')] {
			used, ok := host.number(dir + path + "/pids.current")
			most, limited := host.number(dir + path + "/pids.max")
			if ok && limited {
				left(used, most)
			}
		}
	}
	return free
}

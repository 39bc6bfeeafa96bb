package agent

import (
	"context"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// plain are the probes that read a few small files of the kernel and wait for nothing.
var plain = []string{"tasks", "machine", "memory", "pressure", "listeners", "links"}

// LookSlowly asks one probe after another, which takes few threads, the plain ones first. After each it hands over the
// report so far, with what is still to be asked among its gaps: whoever gets no further has the last of them.
func (a *Agent) LookSlowly(ctx context.Context, sofar func(*nodereport.Report) error) error {
	host, report, probes := a.begin()
	probes = slices.Clone(probes)
	slices.SortStableFunc(probes, func(x, y probe) int { return rankOf(x) - rankOf(y) })
	for i, p := range probes {
		a.ask(ctx, p, host).join(report, p)
		now := *report
		now.Gaps = append(slices.Clone(report.Gaps), notAsked(probes[i+1:], "the look ended before its turn")...)
		if err := sofar(&now); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// LookAlone asks the plain probes in the thread of the caller, and no other: where nothing more can be started, this can
// still be done.
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

// rankOf is the place of a plain probe, and the number of them for any other.
func rankOf(p probe) int {
	if i := slices.Index(plain, p.name); i >= 0 {
		return i
	}
	return len(plain)
}

func notAsked(probes []probe, why string) []nodereport.Gap {
	var out []nodereport.Gap
	for _, p := range probes {
		out = append(out, nodereport.Gap{What: p.name, Why: why, How: string(p.how)})
	}
	return out
}

// PlentyOfTasks is how many processes and threads must be free for all probes to be asked at once: a Go program that gets no thread when it
// needs one dies.
const PlentyOfTasks = 64

// FreeTasks is how many more processes and threads may be started here, as far as the kernel tells: what is left of its own
// limit, and of those of the control groups that this process is in. It is -1 where nothing tells.
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

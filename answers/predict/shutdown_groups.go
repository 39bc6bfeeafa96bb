package predict

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// systemCritical is the lowest priority of system-critical pods (pkg/apis/scheduling/types.go, SystemCriticalPriority).
const systemCritical = 2_000_000_000

// shutdownGroup is the pods from one priority up to the next group's. A kubelet that shuts down terminates them together, and
// the groups one after the other.
type shutdownGroup struct {
	priority int32
	grace    time.Duration // the limit for one of them
}

// shutdownGroups returns the groups of the node's kubelet, the lowest first; none: it does not handle shutdowns. If its
// configuration is unknown, they are those of shutdownGracePeriod with as much time as the pods want. It mirrors newPodManager
// and migrateConfig of kubernetes pkg/kubelet/nodeshutdown/nodeshutdown_manager.go, v1.36.3.
func (sim *simulation) shutdownGroups(m *simNode) (groups []shutdownGroup, known bool) {
	two := func(others, last time.Duration) []shutdownGroup {
		return []shutdownGroup{{0, others}, {systemCritical, last}}
	}
	k := sim.snap.Kubelet(m.name)
	if k == nil {
		return two(never, never), false
	}
	if k.Config["featureGates.GracefulNodeShutdown"] == "false" {
		return nil, true
	}
	if k.Config["featureGates.GracefulNodeShutdownBasedOnPodPriority"] != "false" {
		if groups, known = byPriority(k.Config); !known {
			return two(never, never), false
		}
	}
	switch all, err := time.ParseDuration(k.Config["shutdownGracePeriod"]); {
	case len(groups) > 0:
		return groups, true
	case err != nil:
		return two(never, never), false
	case all <= 0:
		return nil, true
	default:
		last, _ := time.ParseDuration(k.Config["shutdownGracePeriodCriticalPods"])
		last = min(last, all)
		return two((all - last).Truncate(time.Second), last.Truncate(time.Second)), true
	}
}

// byPriority parses shutdownGracePeriodByPodPriority of a kubelet's configuration. If it is invalid, the result is unknown.
func byPriority(config map[string]string) (groups []shutdownGroup, known bool) {
	for i := 0; ; i++ {
		at := "shutdownGracePeriodByPodPriority." + strconv.Itoa(i)
		of, set := config[at+".priority"]
		period, timed := config[at+".shutdownGracePeriodSeconds"]
		if !set && !timed {
			break
		}
		priority, err := strconv.ParseInt(of, 10, 32)
		seconds, bad := strconv.ParseInt(period, 10, 32)
		if err != nil || bad != nil || seconds < 0 {
			return nil, false
		}
		groups = append(groups, shutdownGroup{int32(priority), time.Duration(seconds) * time.Second})
	}
	slices.SortStableFunc(groups, func(a, b shutdownGroup) int { return cmp.Compare(a.priority, b.priority) })
	return groups, true
}

// groupOf returns the group of the pod: the highest one whose priority it reaches, or else the lowest (groupByPriority, same
// file).
func groupOf(p *evidence.Pod, groups []shutdownGroup) int {
	next := slices.IndexFunc(groups, func(g shutdownGroup) bool { return g.priority > mechanics.Priority(p) })
	if next < 0 {
		next = len(groups)
	}
	return max(next-1, 0)
}

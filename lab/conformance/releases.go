//go:build unix

package conformance

import (
	"fmt"
	"os"
	"strings"
)

// OfReleases are the scenarios that are played on each version of Kubernetes: a part of each kind of event, and all where
// nothing is set.
const OfReleases = "quick,defaults"

// Release is a version of Kubernetes, with the scenarios that were played on it.
type Release struct {
	Version string // "v1.31.14"
	Results []*Result
}

// WriteReleases keeps as a page what was played on which version. All have the same scenarios.
func WriteReleases(path string, list []Release) error {
	var b strings.Builder
	b.WriteString(releasesIntro)
	b.WriteString("| Kubernetes | scenarios as predicted | pods with the right fate | right replacement | times inside |\n| --- | --- | --- | --- | --- |\n")
	for _, r := range list {
		right, pods, fates, replacements, times, inside := 0, 0, 0, 0, 0, 0
		for _, s := range r.Results {
			if s.Right() {
				right++
			}
			pods, fates, replacements = pods+s.Pods, fates+s.Fates, replacements+s.Replacements
			times, inside = times+s.Times, inside+s.Inside
		}
		fmt.Fprintf(&b, "| %s | %d of %d | %d of %d | %d of %d | %d of %d |\n", strings.TrimPrefix(r.Version, "v"), right, len(r.Results), fates, pods, replacements, pods, inside, times)
	}
	b.WriteString("\nEach scenario, with the times that were inside of those that were seen:\n\n| scenario | what it shows |")
	for _, r := range list {
		fmt.Fprintf(&b, " %s |", strings.TrimPrefix(r.Version, "v"))
	}
	fmt.Fprintf(&b, "\n|%s\n", strings.Repeat(" --- |", len(list)+2))
	for i, s := range list[0].Results {
		fmt.Fprintf(&b, "| %s | %s |", s.Name, s.Shows)
		for _, r := range list {
			fmt.Fprintf(&b, " %s |", r.Results[i].cell())
		}
		b.WriteString("\n")
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

func (r *Result) cell() string {
	switch {
	case r.Err != nil:
		return "not played"
	case !r.Right():
		return "**wrong**"
	}
	return fmt.Sprintf("%d/%d", r.Inside, r.Times)
}

const releasesIntro = `# Versions of Kubernetes

Forecasts and placement are those of the version of the cluster that is asked about, not of the one whose code nodetriage is
made of. What differs between 1.31 and 1.37, as far as it is predicted or quoted here:

| since | what is different | where |
| --- | --- | --- |
| 1.32 | a node counts as lost after 50 s without a heartbeat; 40 s before | ` + "`mechanics.HeartbeatGrace`" + `; pkg/controller/nodelifecycle/config/v1alpha1/defaults.go |
| 1.34 | a lost node gets its NoExecute taint in the pass of the monitor that finds it; in the next one, 5 s later, before | ` + "`mechanics.TaintedInNextPass`" + `; pkg/controller/nodelifecycle/node_lifecycle_controller.go |
| 1.32 | the scheduler's message counts nodes that no filter was asked about | ` + "`placement/scheduler`" + `; pkg/scheduler/framework/types.go |
| 1.33 | what the scheduler says of a volume whose node affinity does not match | the same; pkg/scheduler/framework/plugins/volumebinding |
| 1.34 | what it says of a ReadWriteOncePod claim in use; its plugin for devices speaks before that for preemption | the same; .../volumerestrictions, .../dynamicresources |
| 1.35 | a taint that is not tolerated is no longer named in the message | the same; .../tainttoleration |
| 1.36 | nodes are filtered by the features that they declare | the same; .../nodedeclaredfeatures |
| 1.36 | mutating admission policies are read as v1; as v1beta1 since 1.34 | ` + "`kube`" + ` |

Where the version of the API server was not read, it is at least that of the newest kubelet, and a forecast is as wide as the versions that are left.

` + "`make conformance-releases`" + ` plays a part of the [scenarios](conformance.md), each kind of event and all that run with default
settings, on control planes of these versions, and writes this page. The programs are built from the modules of their release (` + "`lab/kubernetes`" + `).

`

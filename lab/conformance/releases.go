//go:build unix

package conformance

import (
	"errors"
	"os"
	"slices"
	"strings"
)

// OfReleases returns the scenarios for each version of Kubernetes: a part of each kind of event, and all with default
// settings.
const OfReleases = "quick,defaults"

// WriteRelease writes the results of a version of Kubernetes, "v1.31.14", to the page. Results of other minor versions
// on the page remain.
func WriteRelease(path, version string, list []*Result) error {
	page, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	const begin = "\n## Kubernetes "
	minor := version[1:strings.LastIndexByte(version, '.')]
	sections := []string{strings.TrimPrefix(version, "v") + "\n\n" + totals(list) + table(list)}
	for _, s := range strings.Split(string(page), begin)[1:] {
		if !strings.HasPrefix(s, minor+".") {
			sections = append(sections, s)
		}
	}
	slices.Sort(sections) // all have two digits
	return os.WriteFile(path, []byte(releasesIntro+begin+strings.Join(sections, begin)), 0o644)
}

const releasesIntro = `# Versions of Kubernetes

Forecasts and placement are those of the version of the cluster that is asked about, not of the one whose code nodetriage is
made of. What differs between 1.31 and 1.37, as far as it is predicted or quoted here:

| since | what is different | where |
| --- | --- | --- |
| 1.32 | a node counts as lost after 50 s without a heartbeat; 40 s before | ` + "`mechanics.HeartbeatGrace`" + `; pkg/controller/nodelifecycle/config/v1alpha1/defaults.go |
| 1.34 | a lost node gets its NoExecute taint in the pass of the monitor that finds it; in the next one, 5 s later, before. One that reports itself that it is not ready always gets it in the pass that sees that | ` + "`mechanics.TaintedInNextPass`" + `; pkg/controller/nodelifecycle/node_lifecycle_controller.go |
| 1.32 | the scheduler's message counts nodes that no filter was asked about | ` + "`mechanics/placement/scheduler`" + `; pkg/scheduler/framework/types.go |
| 1.33 | what the scheduler says of a volume whose node affinity does not match | the same; pkg/scheduler/framework/plugins/volumebinding |
| 1.34 | what it says of a ReadWriteOncePod claim in use; until 1.36 its plugin for devices speaks before that for preemption | the same; .../volumerestrictions, .../dynamicresources |
| 1.34 | nodes too small for a pod even when empty are not tried by preemption | the same; .../noderesources |
| 1.34 | a taint that is not tolerated is no longer named in the message | the same; .../tainttoleration |
| 1.36 | nodes are filtered by the features that they declare | the same; .../nodedeclaredfeatures |
| 1.37 | the scheduler says where it ends others | the same; pkg/scheduler/framework/preemption |
| 1.36 | mutating admission policies are read as v1; as v1beta1 since 1.34 | ` + "`kube`" + ` |

Where the version of the API server was not read, it is at least that of the newest kubelet, and a forecast is as wide as the versions that are left.

` + "`make conformance-releases`" + ` plays a part of the [scenarios](conformance.md), each kind of event and all that run with default
settings, on control planes of these versions, and writes this page. The programs are built from the modules of their release (` + "`lab/kubernetes`" + `).
Marks are those of [conformance.md](conformance.md), which has all of them on 1.36.

Placement: ` + "`cd lab && go test . -run TestPlacementIsTheSchedulers -kubernetes 1.31`" + ` asks ` + "`why`" + ` and the scheduler of that version about the same
900 pods in ten random clusters. The words of refusals, the nodes that are left and what is ended for others are the same on 1.31.14, 1.32.13,
1.33.13, 1.34.4, 1.35.4, 1.36.3 and 1.37.2.
`

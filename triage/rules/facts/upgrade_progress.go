package facts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// UpgradeProgress is how many nodes have what the upgrade gives them. A kubelet's version tells nothing of an upgrade of images.
func UpgradeProgress(nodes []*evidence.Node, builds map[string]int, running *evidence.CloudActivity) string {
	target, all := newest(nodes), wording.Count(len(nodes), "node")
	switch {
	case running != nil && strings.Contains(strings.ToLower(running.Operation), "image") && !slices.ContainsFunc(nodes, func(n *evidence.Node) bool { return triage.NodeImage(n) != "" }):
		return "no label tells which nodes have the new image"
	case len(builds) < 2 && len(nodes) == 1:
		return "its only node has " + target
	case len(builds) < 2:
		return "all of its " + all + " have " + target
	}
	return fmt.Sprintf("%d of %s with %s", builds[target], all, target)
}

// newest is the build of the node that was made last: what an upgrade gives to all of them.
func newest(nodes []*evidence.Node) string {
	last := nodes[0]
	for _, n := range nodes {
		if n.CreationTimestamp.After(last.CreationTimestamp.Time) {
			last = n
		}
	}
	return Build(last)
}

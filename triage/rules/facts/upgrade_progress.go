package facts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// UpgradeProgress describes how many nodes are upgraded. The kubelet version does not show the progress of an image upgrade.
func UpgradeProgress(nodes []*evidence.Node, builds map[string]int, running *evidence.CloudActivity) string {
	target, all := newest(nodes), wording.Count(len(nodes), "node")
	switch {
	case running != nil && strings.Contains(strings.ToLower(running.Operation), "image") && !slices.ContainsFunc(nodes, func(n *evidence.Node) bool { return triage.NodeImage(n) != "" }):
		return "no label shows which nodes have the new image"
	case len(builds) < 2 && len(nodes) == 1:
		return "its only node has " + target
	case len(builds) < 2:
		return "all of its " + all + " have " + target
	}
	return fmt.Sprintf("%d of %s with %s", builds[target], all, target)
}

// newest returns the build of the newest node, which is the target of the upgrade.
func newest(nodes []*evidence.Node) string {
	last := nodes[0]
	for _, n := range nodes {
		if n.CreationTimestamp.After(last.CreationTimestamp.Time) {
			last = n
		}
	}
	return Build(last)
}

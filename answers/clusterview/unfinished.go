package clusterview

import (
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// Unfinished returns what shows that an upgrade of the nodes of a pool has begun and not ended: some have another node image
// than most, and one is cordoned. nil: nothing does.
func Unfinished(nodes []*evidence.Node) (few []string, cordoned *evidence.Node) {
	on := map[string][]string{}
	var images []string
	for _, n := range nodes {
		image := triage.NodeImage(n)
		if image != "" && on[image] == nil {
			images = append(images, image)
		}
		on[image] = append(on[image], n.Name)
		if n.Spec.Unschedulable && cordoned == nil {
			cordoned = n
		}
	}
	if len(images) < 2 || cordoned == nil {
		return nil, nil
	}
	slices.SortStableFunc(images, func(a, b string) int { return len(on[a]) - len(on[b]) })
	return on[images[0]], cordoned
}

// CordonedFor says that the node is cordoned, and for how long.
func CordonedFor(n *evidence.Node, now time.Time) string {
	at, _ := n.CordonedBy()
	if at.IsZero() || now.Before(at) {
		return n.Name + " is cordoned"
	}
	return n.Name + " has been cordoned for " + wording.Duration(now.Sub(at))
}

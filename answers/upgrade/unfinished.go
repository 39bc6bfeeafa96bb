package upgrade

import (
	"fmt"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/answers/clusterview"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// unfinished returns what shows that an upgrade of the pool has begun and not ended: its nodes have different images, and one
// of them is cordoned. "" if nothing does, or if the cloud reports the running upgrade.
func (u *Plan) unfinished(v *clusterview.View, p *pool) string {
	if u.Underway != nil {
		return ""
	}
	images := map[string]bool{}
	cordoned := ""
	for _, n := range p.nodes {
		images[triage.NodeImage(n)] = true
		if n.Spec.Unschedulable && cordoned == "" {
			cordoned = n.Name + cordonedFor(n, v.Now)
		}
	}
	delete(images, "")
	if len(images) < 2 || cordoned == "" {
		return ""
	}
	return "an upgrade has begun already: " + fewest(p.nodes) + "; " + cordoned
}

// cordonedFor says that the node is cordoned, and for how long.
func cordonedFor(n *evidence.Node, now time.Time) string {
	at, _ := n.CordonedBy()
	if at.IsZero() || now.Before(at) {
		return " is cordoned"
	}
	return " has been cordoned for " + wording.Duration(now.Sub(at))
}

// fewest says which nodes have the image that the fewest have.
func fewest(nodes []*evidence.Node) string {
	on := map[string][]string{}
	var order []string
	for _, n := range nodes {
		image := triage.NodeImage(n)
		if image == "" {
			continue
		}
		if on[image] == nil {
			order = append(order, image)
		}
		on[image] = append(on[image], n.Name)
	}
	slices.SortStableFunc(order, func(a, b string) int { return len(on[a]) - len(on[b]) })
	few, have := on[order[0]], "have"
	if len(few) == 1 {
		have = "has"
	}
	return fmt.Sprintf("%d of %d nodes %s another node image (%s)", len(few), len(nodes), have, wording.First(few, 2))
}

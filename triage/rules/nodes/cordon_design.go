package nodes

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

func sameLine(a, b *evidence.Ref) bool { return a.Source == b.Source && a.Locator == b.Locator }

// byDesign reports whether the node is cordoned permanently: all control plane nodes are, and other nodes run the pods.
func byDesign(p *triage.Pass, n *evidence.Node) bool {
	if !facts.ControlPlaneNode(n) {
		return false
	}
	workers := false
	for _, other := range p.Snapshot.Nodes() {
		switch {
		case facts.ControlPlaneNode(other):
			if !other.Spec.Unschedulable {
				return false
			}
		case !other.Spec.Unschedulable && other.Ready() == evidence.True:
			workers = true
		}
	}
	return workers
}

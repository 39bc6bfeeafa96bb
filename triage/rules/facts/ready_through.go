package facts

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// AllReadyThrough reports whether all nodes have been Ready since before the last two of several messages, and were heard later.
func AllReadyThrough(p *triage.Pass, m *evidence.Match) bool {
	nodes := p.Snapshot.Nodes()
	return len(nodes) > 0 && !slices.ContainsFunc(nodes, func(n *evidence.Node) bool {
		return !ReadyThrough(n, m) || HeardOf(p, n).Before(m.Last.Add(-mechanics.StaleStatus))
	})
}

// ReadyThrough reports whether a node has been Ready since before the last two of several messages. The last message alone may have
// stopped the node after its state was read.
func ReadyThrough(n *evidence.Node, m *evidence.Match) bool {
	ready := n.Condition(corev1.NodeReady)
	if n.Partial || ready == nil || ready.Status != corev1.ConditionTrue {
		return false
	}
	before := m.Last
	if m.Count > 1 {
		before = before.Add(-2 * timeline.Pause(m))
	}
	return ready.LastTransitionTime.Time.Before(before)
}

package facts

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// HeardOf returns when a node's kubelet last reported to the control plane.
func HeardOf(p *triage.Pass, n *evidence.Node) time.Time {
	var at time.Time
	if ready := n.Condition(corev1.NodeReady); ready != nil {
		at = ready.LastHeartbeatTime.UTC()
	}
	if l := p.Snapshot.NodeLease(n.Name); l != nil && l.Renewed.After(at) {
		at = l.Renewed
	}
	return at
}

// ReadyNodeHeardBefore reports whether a node was read as Ready and last reported before the given time. Other data read with it is
// as old.
func ReadyNodeHeardBefore(p *triage.Pass, node string, at time.Time) bool {
	n := p.Snapshot.Node(node)
	if n == nil || n.Ready() != evidence.True {
		return false
	}
	heard := HeardOf(p, n)
	return !heard.IsZero() && heard.Before(at)
}

// StopsLeases reports whether a cause stops lease renewals of all kubelets.
func StopsLeases(p *triage.Pass, says string) bool {
	c := p.Catalog.Cause(says)
	return c != nil && c.Scope == "cluster" && slices.Contains(c.Explains, "lease-renewal-failed")
}

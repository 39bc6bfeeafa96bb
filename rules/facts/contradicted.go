package facts

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/catalog"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
)

// seldom is more than the time between two requests that must not fail: kubelets renew their leases every ten seconds, controllers
// theirs every two (kubernetes staging/src/k8s.io/component-base/config/options/leaderelectionconfig.go, 1.36.3).
const seldom = time.Minute

// few are lines of single requests that failed: an API server writes two of each (apiserver pkg/endpoints/handlers/responsewriters/writers.go,
// v0.36.3).
const few = 4

// Contradicted reports whether what a message says cannot be all of the truth: what it would stop goes on beside it, before the
// message came last and after.
func Contradicted(p *triage.Pass, m *evidence.Match) bool {
	cause := p.Catalog.Cause(p.Signatures.Lookup(m.Signature).Says)
	if cause == nil || m.Last.IsZero() {
		return false
	}
	if stopsLeases(cause) {
		rare := m.Count <= few || pauseOf(m) > seldom
		return rare && allReadyThrough(p, m)
	}
	if cause.Keeps != catalog.Reporting || m.Count < 2 {
		return false
	}
	n := p.Snapshot.Node(NodeOf(p.Snapshot, m.Subject))
	return n != nil && readyThrough(n, m) && heardOf(p, n).After(m.Last.Add(-2*pauseOf(m)))
}

// stopsLeases reports whether no kubelet renews its lease while a cause lasts.
func stopsLeases(c *catalog.Cause) bool {
	return c.Scope == "cluster" && slices.Contains(c.Explains, "lease-renewal-failed")
}

// pauseOf is the time between two of several messages; of a single one more than any.
func pauseOf(m *evidence.Match) time.Duration {
	if m.Count < 2 {
		return 24 * time.Hour
	}
	return m.Span / time.Duration(m.Count-1)
}

func allReadyThrough(p *triage.Pass, m *evidence.Match) bool {
	nodes := p.Snapshot.Nodes()
	return len(nodes) > 0 && !slices.ContainsFunc(nodes, func(n *evidence.Node) bool {
		return !readyThrough(n, m) || heardOf(p, n).Before(m.Last.Add(-mechanics.StaleStatus))
	})
}

// heardOf is when the control plane heard of a node's kubelet last.
func heardOf(p *triage.Pass, n *evidence.Node) time.Time {
	var at time.Time
	if ready := n.Condition(corev1.NodeReady); ready != nil {
		at = ready.LastHeartbeatTime.UTC()
	}
	if l := p.Snapshot.NodeLease(n.Name); l != nil && l.Renewed.After(at) {
		at = l.Renewed
	}
	return at
}

// readyThrough reports whether a node is Ready since before the last two of several messages. The last alone may have stopped it
// after its state was read.
func readyThrough(n *evidence.Node, m *evidence.Match) bool {
	ready := n.Condition(corev1.NodeReady)
	if n.Partial || ready == nil || ready.Status != corev1.ConditionTrue {
		return false
	}
	before := m.Last
	if m.Count > 1 {
		before = before.Add(-2 * pauseOf(m))
	}
	return ready.LastTransitionTime.Time.Before(before)
}

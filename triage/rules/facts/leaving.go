package facts

import (
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// RemovalCause is the cause of a removal on purpose.
const RemovalCause = "node-removal-in-progress"

// removalTime is how long a removal may take: longer than the autoscaler waits for pods (10 minutes), and as long as upgrades of
// managed services wait for a drain.
const removalTime = 30 * time.Minute

// Leaving returns the removal on purpose that is running on a node: an announcement on its object, the deletion of its machine, or
// a drain before its kubelet stopped. nil: none, one that takes too long, or one that began after the node failed.
func Leaving(p *triage.Pass, n *evidence.Node) (*evidence.Removal, evidence.Ref) {
	r, ref := announced(p, n)
	if r == nil || Replacing(p, n) { // an upgrade brings the node back
		return nil, ref
	}
	failed, since := Since(n), r.Since
	if since.IsZero() && n.DeletionTimestamp != nil {
		since = n.DeletionTimestamp.UTC()
	}
	if since.IsZero() && n.NotReady() && !emptied(p, n) { // whether the removal or the failure was first is unknown
		return nil, ref
	}
	if since.IsZero() {
		since = failed
	}
	age, known := p.Age(since)
	switch {
	case !known:
		if n.Ready() == evidence.True {
			return r, ref
		}
		return nil, ref
	case age >= removalTime, n.NotReady() && failed.Before(since):
		return nil, ref
	}
	return r, ref
}

func announced(p *triage.Pass, n *evidence.Node) (*evidence.Removal, evidence.Ref) {
	if r := n.Removal(); r != nil {
		return r, NodeRef(n, r.Field, "%s", r.Text)
	}
	if m := p.Snapshot.MachineOf(n); m != nil && !m.Deleted.IsZero() {
		return &evidence.Removal{What: "the " + m.Type + " of the node is being deleted", Since: m.Deleted},
			CloudRef(m, "metadata.deletionTimestamp", m.Deleted.Format(time.RFC3339))
	}
	if at, _ := n.CordonedBy(); n.Spec.Unschedulable && !at.IsZero() && emptied(p, n) {
		return &evidence.Removal{What: "the node was cordoned and drained before its kubelet stopped", Since: at},
			NodeRef(n, ".spec.unschedulable", "cordoned %s; only DaemonSet and static pods are left", wording.Ago(p.Now, at))
	}
	return nil, evidence.Ref{}
}

// emptied reports whether the kubelet is unreachable, all pods were read, and a drain has no pods left to evict from the node.
func emptied(p *triage.Pass, n *evidence.Node) bool {
	return n.Silent() && p.Snapshot.Covers(evidence.Pods) == evidence.Complete && !slices.ContainsFunc(p.Snapshot.PodsOn(n.Name), func(pod *evidence.Pod) bool {
		return !mechanics.TiedToNode(pod) && !pod.Finished()
	})
}

// OfRemoval reports whether a removal on purpose explains a message about its node, or about a pod on a node that it stopped.
func OfRemoval(p *triage.Pass, m *evidence.Match) bool {
	n := p.Snapshot.Node(p.Snapshot.NodeOf(m.Subject))
	if n == nil {
		return false
	}
	sig := p.Signatures.Lookup(m.Signature)
	effect := sig != nil && p.Catalog.Explains(RemovalCause, sig.Says)
	if stopped := ofObject(m) && n.NotReady(); !effect && !stopped {
		return false
	}
	r, _ := Leaving(p, n)
	return r != nil
}

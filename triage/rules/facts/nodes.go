package facts

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// Since returns when the node became NotReady; zero: it is Ready, or unknown.
func Since(n *evidence.Node) time.Time {
	if c := n.Condition(corev1.NodeReady); c != nil && c.Status != corev1.ConditionTrue {
		return c.LastTransitionTime.UTC()
	}
	return time.Time{}
}

// IsTrue reports whether the node reports the condition as True.
func IsTrue(n *evidence.Node, typ corev1.NodeConditionType) bool {
	c := n.Condition(typ)
	return c != nil && c.Status == corev1.ConditionTrue
}

// Beats reports whether the kubelet renewed its lease within the node monitor grace period, and the age of the lease. Only newer
// renewals of other nodes or the time of the evidence show that a lease is old.
func Beats(p *triage.Pass, node string) (evidence.Fact, time.Duration) {
	l := p.Snapshot.NodeLease(node)
	if l == nil || l.Renewed.IsZero() {
		return evidence.Unknown, 0
	}
	age, known := p.Age(l.Renewed)
	if !known {
		return evidence.Unknown, 0
	}
	switch mechanics.HeartbeatGrace(p.Snapshot.Data(), 0).Overdue(age) {
	case evidence.True:
		return evidence.False, age
	case evidence.False:
		return evidence.True, max(age, 0)
	}
	return evidence.Unknown, age
}

// NewNode reports whether the node joined so recently that its components may still be starting.
func NewNode(p *triage.Pass, n *evidence.Node) bool {
	age, known := p.Age(n.CreationTimestamp.UTC())
	return known && !n.CreationTimestamp.IsZero() && age < 10*time.Minute
}

// Recent reports whether the node was created within a day, so that problems of joining are relevant.
func Recent(p *triage.Pass, n *evidence.Node) bool {
	age, known := p.Age(n.CreationTimestamp.UTC())
	return known && !n.CreationTimestamp.IsZero() && age < 24*time.Hour
}

// Stale reports a condition as unknown if its heartbeat is stale.
func Stale(p *triage.Pass, n *evidence.Node, c *corev1.NodeCondition) {
	age, known := p.Age(c.LastHeartbeatTime.UTC())
	if known && !c.LastHeartbeatTime.IsZero() && age > mechanics.StaleStatus {
		p.Unknown(fmt.Sprintf("whether %s=%s of %s still holds", c.Type, c.Status, n.Name),
			"stale: its kubelet last reported it "+wording.Duration(age)+" ago", shell.Format("kubectl get node {node} -o yaml; kubectl get lease -n kube-node-lease {node}", n.Name))
	}
}

// Lasting reports whether a pressure condition is older than 10 minutes. The kubelet keeps it for five minutes after the pressure
// is gone.
func Lasting(p *triage.Pass, c *corev1.NodeCondition) bool {
	age, known := p.Age(c.LastTransitionTime.UTC())
	return known && !c.LastTransitionTime.IsZero() && age > 10*time.Minute
}

// Troubled reports whether a node is NotReady or has a condition that reports a problem.
func Troubled(n *evidence.Node) bool {
	if n.NotReady() {
		return true
	}
	for i := range n.Node.Status.Conditions {
		if evidence.Bad(&n.Node.Status.Conditions[i]) == evidence.True {
			return true
		}
	}
	return false
}

// InternalIP returns the internal IP address of the node, or "".
func InternalIP(n *evidence.Node) string {
	for _, a := range n.Node.Status.Addresses {
		if a.Type == corev1.NodeInternalIP {
			return a.Address
		}
	}
	return ""
}

// ControlPlaneNode reports whether the node has the control plane role.
func ControlPlaneNode(n *evidence.Node) bool { return evidence.OfControlPlane(n) }

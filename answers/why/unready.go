package why

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/wording"
)

// unready reports whether the node of a pod that is shown as running is not ready, or its heartbeat is late. It then judges the
// pod by that, because the pod's status is only as reliable as the kubelet.
func (a *asker) unready(p *evidence.Pod, out *Pod) bool {
	n := a.s.Node(p.Node)
	if n == nil {
		return false
	}
	out.State = Running
	if late := a.late(n); late > 0 {
		out.Verdict, out.Waits = Unknown, "kubelet"
		out.Summary = fmt.Sprintf("was running on %s when its kubelet last reported, %s before the others", p.Node, wording.Duration(late))
		out.Do = []Step{{What: "diagnose the node", Commands: []shell.Text{shell.Format("nodetriage diagnose {node}", p.Node)}}}
		return true
	}
	c := n.Condition(corev1.NodeReady)
	if c == nil || c.Status == corev1.ConditionTrue {
		return false
	}
	out.Verdict, out.Waits = Stuck, "kubelet"
	out.Summary = fmt.Sprintf("is running on %s according to its kubelet, but the node is NotReady%s", p.Node, because(c.Message))
	if mechanics.RuntimeSilent(n) {
		out.Waits = "runtime"
		out.Summary = fmt.Sprintf("is shown as running on %s, but the container runtime does not answer the kubelet%s", p.Node, because(c.Message))
	}
	if p.Spec != nil {
		out.Summary += "; " + a.eviction(p, n)
	}
	out.Because = a.nodeFact(p.Node)
	out.Do = []Step{{What: "diagnose the node", Commands: []shell.Text{shell.Format("nodetriage diagnose {node}", p.Node)}}}
	return true
}

// late returns how far the node's lease is behind the newest lease of all nodes, if that is too far. A list is as old as its
// newest lease.
func (a *asker) late(n *evidence.Node) time.Duration {
	l := a.s.NodeLease(n.Name)
	if l == nil || l.Renewed.IsZero() || n.Ready() != evidence.True {
		return 0
	}
	if a.newest.IsZero() {
		for _, o := range a.s.Data().Leases {
			if o.Namespace == corev1.NamespaceNodeLease && o.Renewed.After(a.newest) && !o.Renewed.After(a.s.TakenAt()) {
				a.newest = o.Renewed
			}
		}
	}
	if behind := a.newest.Sub(l.Renewed); mechanics.HeartbeatGrace(a.s.Data(), 0).Overdue(behind) != evidence.False {
		return behind
	}
	return 0
}

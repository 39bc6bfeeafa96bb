package workloads

import (
	"fmt"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// lateDeletion is how long after its grace period a pod may still exist before it counts as stuck.
const lateDeletion = 5 * time.Minute

// TerminatingPods finds pods that are stuck in Terminating, and what would have to act: the node's kubelet, a finalizer's
// controller, or a hook.
var TerminatingPods = &triage.Rule{
	ID:    "terminating-pods",
	Doc:   "Finds pods that are stuck Terminating, and the reason.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.Pods},
	Reads: []evidence.Kind{evidence.Nodes, evidence.Leases},
	Check: func(p *triage.Pass) {
		undated, inTime := 0, 0
		for _, pod := range p.Snapshot.Pods() {
			switch {
			case !pod.Deleted.IsZero():
				if judgeDeletion(p, pod) {
					inTime++
				}
			case pod.Deleting():
				undated++
			}
		}
		if inTime > 0 {
			p.RuleOut("pod-stuck-terminating", evidence.ClusterSubject(), wording.Counted(inTime, "pod is terminating within its grace period", "pods are terminating within their grace period"))
		}
		if undated > 0 {
			p.Unknown("since when "+wording.Counted(undated, "pod is Terminating", "pods are Terminating"), "a table does not show when the deletion was due", "kubectl get pods -A -o json")
		}
	},
}

// judgeDeletion reports whether the pod is in time, and otherwise claims what blocks it.
func judgeDeletion(p *triage.Pass, pod *evidence.Pod) (inTime bool) {
	e := mechanics.EndingIn(p.Snapshot, pod, p.Now)
	finalizer := e.Holder == mechanics.HeldByFinalizer && e.Stuck()
	switch {
	case finalizer:
	case !e.Dated:
		return false
	case e.Over < lateDeletion && !endsSlowly(p.Snapshot.Node(pod.Node), pod, e):
		return true
	case e.Over >= lateDeletion && facts.ReadyNodeHeardBefore(p, pod.Node, pod.Deleted):
		p.Unknown("whether pod "+pod.Key()+" still exists", "node "+pod.Node+" was read before the deletion was due", "kubectl get nodes,pods -A -o json")
		return false
	}
	c := triage.Claim{
		Subject: pod.Subject(), Certainty: triage.Likely, Since: pod.Deleted,
		Evidence: []evidence.Ref{facts.PodRef(pod, ".metadata.deletionTimestamp", "deletion due %s, grace %ds, finalizers [%s]",
			pod.Deleted.Format(time.RFC3339), pod.Grace, strings.Join(pod.Finalizers, " "))},
		Fill: map[string]string{"pod": pod.Name, "namespace": pod.Namespace, "node": pod.Node},
	}
	switch {
	case finalizer:
		heldByFinalizer(&c, pod, e)
	case e.Over < lateDeletion:
		grace := mechanics.Seconds(pod.Grace)
		c.Says, c.Since = "drain-blocked-hook", pod.Deleted.Add(-grace)
		c.Summary = fmt.Sprintf("pod %s on cordoned node %s may take %s to terminate (its grace period)", pod.Key(), pod.Node, wording.Duration(grace))
	default:
		notEnded(&c, p.Snapshot.Node(pod.Node), pod, e)
	}
	p.Found(c)
	return false
}

// endsSlowly reports whether a drain waits for the long grace period of the pod, which has not expired.
func endsSlowly(n *evidence.Node, pod *evidence.Pod, e mechanics.Ending) bool {
	cordoned := n != nil && n.Spec.Unschedulable
	return cordoned && e.Over < 0 && mechanics.Seconds(pod.Grace) > facts.LongGrace
}

// heldByFinalizer claims that only a finalizer keeps the pod.
func heldByFinalizer(c *triage.Claim, pod *evidence.Pod, e mechanics.Ending) {
	c.Says = "drain-blocked-finalizer"
	c.Summary = fmt.Sprintf("pod %s has terminated, but finalizer %s blocks its deletion", pod.Key(), e.Finalizers[0])
	if e.Dated && e.Over >= lateDeletion {
		c.Certainty = triage.Certain
		c.Summary = fmt.Sprintf("pod %s has terminated and is %s past its grace period, but finalizer %s blocks its deletion", pod.Key(), wording.Duration(e.Over), e.Finalizers[0])
	}
}

// notEnded claims what would have to terminate the pod. Finalizers come after that.
func notEnded(c *triage.Claim, node *evidence.Node, pod *evidence.Pod, e mechanics.Ending) {
	switch {
	case node != nil && node.NotReady():
		c.Evidence = append(c.Evidence, facts.NodeRef(node, ".status.conditions[Ready]", "node %s is NotReady: its kubelet cannot stop the pod", node.Name))
		c.Says, c.Certainty = "pod-terminating", ""
		if mechanics.Replaces(pod) == mechanics.WhenGone {
			c.Says, c.Certainty = "statefulset-stuck-node-lost", triage.Certain
			c.Summary = fmt.Sprintf("pod %s cannot be replaced before it is deleted, and its node %s is NotReady", pod.Key(), pod.Node)
		}
	case e.Holder == mechanics.HeldByCollector && node == nil && pod.Node != "":
		c.Says, c.Subject = "node-lost", evidence.NodeSubject(pod.Node)
		c.Summary = fmt.Sprintf("pod %s is bound to node %s, which no longer exists", pod.Key(), pod.Node)
	default:
		c.Says = "pod-stuck-terminating"
		c.Summary = fmt.Sprintf("pod %s is %s past its grace period", pod.Key(), wording.Duration(e.Over))
		if node != nil {
			c.Summary += fmt.Sprintf(": node %s is Ready, but its kubelet has not stopped the pod", node.Name)
		}
		if len(e.Finalizers) > 0 {
			c.Summary += ". Finalizer " + e.Finalizers[0] + " blocks its deletion after that"
		}
	}
}

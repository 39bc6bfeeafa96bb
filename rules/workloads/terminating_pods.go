package workloads

import (
	"fmt"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/rules/facts"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

const (
	// lateDeletion is how long after its grace period a pod may take to go before it counts as stuck.
	lateDeletion = 5 * time.Minute
	// lateFinalizer is how long a finalizer may keep a pod that has ended: its controller needs a moment. By less than that the
	// time of the evidence may also be behind that of the API server.
	lateFinalizer = 10 * time.Second
)

// TerminatingPods finds pods that outlive their deletion, and who would have to act: the node's kubelet, a
// finalizer's controller, or a hook.
var TerminatingPods = &triage.Rule{
	ID:    "terminating-pods",
	Doc:   "Finds pods that stay Terminating and what holds them.",
	Needs: []evidence.Kind{evidence.Pods},
	Reads: []evidence.Kind{evidence.Nodes},
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
			p.Unknown("since when "+wording.Count(undated, "pod")+" Terminating", "a table does not show when their deletion was due", "kubectl get pods -A -o json")
		}
	},
}

// judgeDeletion reports whether the pod is not overdue, and claims what holds it if it is. The grace period is set to zero when the kubelet is done with a pod, so that only finalizers
// are left (kubernetes pkg/registry/core/pod/strategy.go).
func judgeDeletion(p *triage.Pass, pod *evidence.Pod) (inTime bool) {
	late, known := p.Age(pod.Deleted)
	node := p.Snapshot.Node(pod.Node)
	dead := node != nil && node.NotReady()
	grace := mechanics.Seconds(pod.Grace)
	ref := facts.PodRef(pod, ".metadata.deletionTimestamp", "deletion due %s, grace %ds, finalizers [%s]",
		pod.Deleted.Format(time.RFC3339), pod.Grace, strings.Join(pod.Finalizers, " "))
	c := triage.Claim{
		Subject: pod.Subject(), Confidence: triage.Likely, Since: pod.Deleted, Evidence: []evidence.Ref{ref},
		Fill: map[string]string{"pod": pod.Name, "namespace": pod.Namespace, "node": pod.Node},
	}
	switch {
	case (!known || late.Abs() >= lateFinalizer && late < lateDeletion) && pod.Grace == 0 && len(pod.Finalizers) > 0:
		c.Says = "drain-blocked-finalizer"
		c.Summary = fmt.Sprintf("pod %s has ended and is kept by finalizer %s", pod.Key(), pod.Finalizers[0])
	case !known:
		return false
	case late < lateDeletion:
		if late >= 0 || grace <= facts.LongGrace || node == nil || !node.Spec.Unschedulable {
			return true
		}
		c.Says, c.Since = "drain-blocked-hook", pod.Deleted.Add(-grace)
		c.Summary = fmt.Sprintf("pod %s on cordoned node %s may take %s to end: its grace period", pod.Key(), pod.Node, wording.Duration(grace))
	case len(pod.Finalizers) > 0:
		c.Says, c.Confidence = "drain-blocked-finalizer", triage.Certain
		c.Summary = fmt.Sprintf("pod %s is %s past its grace period; finalizer %s holds it", pod.Key(), wording.Duration(late), pod.Finalizers[0])
	case dead:
		c.Evidence = append(c.Evidence, facts.NodeRef(node, ".status.conditions[Ready]", "node %s is not Ready: its kubelet would have to end the pod", node.Name))
		c.Says, c.Confidence = "pod-terminating", ""
		if mechanics.Replaces(pod) == mechanics.WhenGone {
			c.Says, c.Confidence = "statefulset-stuck-node-lost", triage.Certain
			c.Summary = fmt.Sprintf("pod %s cannot be replaced: its node %s is not Ready and its old object must be removed first", pod.Key(), pod.Node)
		}
	case node == nil && pod.Node != "" && p.Snapshot.Covers(evidence.Nodes) == evidence.Complete:
		c.Says = "node-lost"
		c.Subject = evidence.NodeSubject(pod.Node)
		c.Summary = fmt.Sprintf("pod %s waits for node %s, of which there is no object any more", pod.Key(), pod.Node)
	default:
		c.Says = "pod-stuck-terminating"
		c.Summary = fmt.Sprintf("pod %s is %s past its grace period", pod.Key(), wording.Duration(late))
		if node != nil {
			c.Summary += " although node " + node.Name + " is Ready"
		}
	}
	p.Found(c)
	return false
}

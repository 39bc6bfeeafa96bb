package rules

import (
	"fmt"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// lateDeletion is how long after its grace period a pod may take to go before it counts as stuck.
const lateDeletion = 2 * time.Minute

// terminatingPods finds pods that outlive their deletion, and who would have to act: the node's kubelet, a
// finalizer's controller, or a hook.
var terminatingPods = &triage.Rule{
	ID:    "terminating-pods",
	Doc:   "Finds pods that stay Terminating and what holds them.",
	Needs: []evidence.Kind{evidence.Pods},
	Check: func(p *triage.Pass) {
		for _, pod := range p.Snapshot.Data().Pods {
			if pod.Deleted.IsZero() {
				continue // a table shows Terminating, not since when
			}
			late, known := p.Age(pod.Deleted)
			node := p.Snapshot.Node(pod.Node)
			dead := node != nil && node.NotReady()
			ref := podRef(pod, ".metadata.deletionTimestamp", "deletion due %s, grace %ds, finalizers [%s]",
				pod.Deleted.Format(time.RFC3339), pod.Grace, strings.Join(pod.Finalizers, " "))
			fill := map[string]string{"pod": pod.Name, "namespace": pod.Namespace, "node": pod.Node}
			switch {
			case (!known || late < 0) && pod.Grace == 0 && len(pod.Finalizers) > 0:
				// The grace period is set to zero when the kubelet is done: only finalizers are left.
				p.Found(triage.Claim{
					Says: "drain-blocked-finalizer", Subject: pod.Subject(), Confidence: triage.Likely, Evidence: []evidence.Ref{ref}, Fill: fill,
					Since:   pod.Deleted,
					Summary: fmt.Sprintf("pod %s has ended and is kept by finalizer %s", pod.Key(), pod.Finalizers[0]),
				})
			case !known:
			case late < 0 && pod.Grace > 600:
				p.Found(triage.Claim{
					Says: "drain-blocked-hook", Subject: pod.Subject(), Confidence: triage.Likely, Evidence: []evidence.Ref{ref}, Fill: fill,
					Summary: fmt.Sprintf("pod %s may take %s to end: its grace period", pod.Key(), short(time.Duration(pod.Grace)*time.Second)),
				})
			case late < lateDeletion:
			case len(pod.Finalizers) > 0:
				p.Found(triage.Claim{
					Says: "drain-blocked-finalizer", Subject: pod.Subject(), Confidence: triage.Certain, Evidence: []evidence.Ref{ref}, Fill: fill,
					Since:   pod.Deleted,
					Summary: fmt.Sprintf("pod %s is %s past its grace period; finalizer %s holds it", pod.Key(), short(late), pod.Finalizers[0]),
				})
			case dead && pod.Owner.Kind == "StatefulSet":
				p.Found(triage.Claim{
					Says: "statefulset-stuck-node-lost", Subject: pod.Subject(), Confidence: triage.Certain, Fill: fill, Since: pod.Deleted,
					Evidence: []evidence.Ref{ref, nodeRef(node, ".status.conditions[Ready]", "node %s is not Ready", node.Name)},
					Summary:  fmt.Sprintf("pod %s cannot be replaced: its node %s is gone and its old object must vanish first", pod.Key(), pod.Node),
				})
			case dead:
				p.Found(triage.Claim{
					Says: "pod-terminating", Subject: pod.Subject(), Since: pod.Deleted,
					Evidence: []evidence.Ref{ref, nodeRef(node, ".status.conditions[Ready]", "node %s is not Ready: its kubelet would have to end the pod", node.Name)},
				})
			default:
				p.Found(triage.Claim{
					Says: "pod-stuck-terminating", Subject: pod.Subject(), Confidence: triage.Likely, Evidence: []evidence.Ref{ref}, Fill: fill,
					Since:   pod.Deleted,
					Summary: fmt.Sprintf("pod %s is %s past its grace period although node %s works", pod.Key(), short(late), pod.Node),
				})
			}
		}
	},
}

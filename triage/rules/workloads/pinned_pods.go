package workloads

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// pinned is how long a pod must be Pending before its nodes count as missing: an autoscaler adds nodes to an empty pool within
// minutes.
const pinned = 10 * time.Minute

// PinnedPods finds pending pods that select nodes which do not exist, or only nodes with taints that they do not tolerate.
var PinnedPods = &triage.Rule{
	ID:    "pinned-pods",
	Doc:   "Compares selectors, affinities and tolerations of Pending pods with the existing nodes.",
	Needs: []evidence.Kind{evidence.Nodes, evidence.Pods},
	Reads: []evidence.Kind{evidence.Events},
	Check: func(p *triage.Pass) {
		var unsure []string
		fitting := 0
		for _, pod := range p.Snapshot.PodsOn("") {
			if pod.Phase != corev1.PodPending || pod.Deleting() || !selectsNodes(pod.Spec) {
				continue
			}
			if p.Snapshot.Covers(evidence.Nodes) != evidence.Complete {
				unsure = append(unsure, pod.Key())
				continue
			}
			if age, known := p.Age(pod.Created); !known || age < pinned || scalingUp(p, pod) {
				continue
			}
			if judgeSelector(p, pod) {
				fitting++
			}
		}
		if len(unsure) > 0 {
			p.Unknown("whether the cluster has nodes that match these pods: "+wording.Some(unsure), "not all nodes were read", "kubectl get nodes --show-labels")
		}
		if fitting > 0 {
			p.RuleOut("pod-pinned-to-missing-pool", evidence.ClusterSubject(), wording.Count(fitting, "pending pod")+" with matching nodes")
		}
	},
}

// judgeSelector reports whether a node fits the pod, and otherwise claims the reason.
func judgeSelector(p *triage.Pass, pod *evidence.Pod) (fits bool) {
	matching, tainted, taint := 0, 0, ""
	for _, n := range p.Snapshot.Nodes() {
		if !mechanics.Allows(pod.Spec, n.Node) {
			continue
		}
		matching++
		if t := facts.Untolerated(n, pod.Spec.Tolerations); t != nil {
			tainted, taint = tainted+1, t.Key
		}
	}
	asks := facts.PrintRequired(pod.Spec.NodeSelector, mechanics.RequiredAffinity(pod.Spec))
	c := triage.Claim{
		Subject: pod.Subject(), Certainty: triage.Likely, Since: pod.Created, // an autoscaler may still add a node
		Evidence: []evidence.Ref{facts.PodRef(pod, ".spec", "requires nodes with %s", asks)},
	}
	switch {
	case matching == 0:
		c.Says = "pod-pinned-to-missing-pool"
		c.Summary = fmt.Sprintf("pod %s requires nodes with %s; none of %d nodes matches", pod.Key(), asks, len(p.Snapshot.Nodes()))
	case tainted == matching:
		c.Says, c.Certainty = "scheduling-constraints", triage.Certain
		c.Summary = fmt.Sprintf("pod %s selects %s (%s), all with the taint %s, which it does not tolerate", pod.Key(), wording.Count(matching, "node"), asks, taint)
	default:
		return true
	}
	p.Found(c)
	return false
}

// scalingUp reports whether an autoscaler announced a node for the pod.
func scalingUp(p *triage.Pass, pod *evidence.Pod) bool {
	for _, e := range p.Snapshot.EventsOf(pod.Subject()) {
		if age, known := p.Age(e.Last); (e.Reason == "TriggeredScaleUp" || e.Reason == "Nominated") && known && age < pinned {
			return true
		}
	}
	return false
}

// selectsNodes reports whether a pod has a node selector or a required node affinity.
func selectsNodes(spec *corev1.PodSpec) bool {
	return spec != nil && (len(spec.NodeSelector) > 0 || mechanics.RequiredAffinity(spec) != nil)
}

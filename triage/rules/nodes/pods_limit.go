package nodes

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// PodsLimit finds nodes at their pod limit while pods wait for a slot. A node that is only full is well used.
var PodsLimit = &triage.Rule{
	ID:    "pods-limit",
	Doc:   "If pods are Pending because of the pod limit of nodes, compares the pod count of the nodes with this limit.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.Nodes, evidence.Pods},
	Check: func(p *triage.Pass) {
		var waiting []*evidence.Pod
		for _, pod := range p.Snapshot.PodsOn("") {
			if c := pod.Condition("PodScheduled"); c != nil && strings.Contains(c.Message, "Too many pods") {
				waiting = append(waiting, pod)
			}
		}
		room, full := 0, 0
		for _, n := range p.Snapshot.Nodes() {
			refused := refusedFor(p, n)
			if len(waiting) == 0 && refused == nil {
				continue
			}
			limit := n.Node.Status.Allocatable.Name(corev1.ResourcePods, "").Value()
			if limit == 0 || p.Snapshot.Covers(evidence.Pods) != evidence.Complete {
				p.Unknown("the pod count and pod limit of "+n.Name, "its pods or its capacity were not read completely", shell.Format("kubectl describe node {node}", n.Name))
				continue
			}
			used := int64(0)
			for _, pod := range p.Snapshot.PodsOn(n.Name) {
				if !pod.Finished() {
					used++
				}
			}
			if used < limit {
				room++
				continue
			}
			full++
			refs := []evidence.Ref{facts.NodeRef(n, ".status.allocatable.pods", "%d; %d pods are bound", limit, used)}
			if refused != nil {
				refs = append(refs, facts.PodRef(refused, ".status.reason", "%s", refused.Reason))
			} else {
				refs = append(refs, facts.PodRef(waiting[0], ".status.conditions[PodScheduled]", "%s", waiting[0].Condition("PodScheduled").Message))
			}
			p.Found(triage.Claim{
				Says: "pod-density-limit", Subject: n.Subject(), Certainty: triage.Likely, Evidence: refs,
				Summary: fmt.Sprintf("node %s has %d of at most %d pods, and pods are pending", n.Name, used, limit),
			})
		}
		if room > 0 && full == 0 {
			p.RuleOut("pod-density-limit", evidence.ClusterSubject(), wording.Count(room, "node")+" below their pod limit")
		}
	},
}

// refusedFor returns a pod that the node's kubelet rejected because of the pod limit, or nil.
func refusedFor(p *triage.Pass, n *evidence.Node) *evidence.Pod {
	for _, pod := range p.Snapshot.PodsOn(n.Name) {
		if strings.EqualFold(pod.Reason, "OutOfpods") || strings.EqualFold(pod.Status, "OutOfpods") {
			return pod
		}
	}
	return nil
}

package nodes

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// CrowdedNodes finds nodes with many pods and a problem that many pods can cause. A dense healthy node is not a fault.
var CrowdedNodes = &triage.Rule{
	ID:    "crowded-nodes",
	Doc:   "Compares the pod count of nodes that are NotReady, slow, or under memory or PID pressure with the node's limit and the number that Kubernetes is tested with.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.Nodes},
	Reads: []evidence.Kind{evidence.Pods, evidence.Kubelets, evidence.Messages},
	Check: func(p *triage.Pass) {
		for _, n := range p.Snapshot.Nodes() {
			count, ref := facts.PodsOf(p, n)
			if n.PodsListed > count { // a few finished pods among so many do not matter
				count, ref = n.PodsListed, facts.NodeRef(n, "its pods", "%d pods listed, including finished ones", n.PodsListed)
			}
			limit := int(n.Node.Status.Allocatable.Name(corev1.ResourcePods, "").Value())
			words := crowd(count, limit)
			if words == "" {
				continue
			}
			trouble, why := strain(p, n)
			if trouble == "" {
				continue
			}
			p.Found(triage.Claim{
				Says: "node-overcrowded", Subject: n.Subject(), Certainty: triage.Possible, Evidence: slices.Concat([]evidence.Ref{ref}, why),
				Summary: words + ", a possible reason why " + trouble,
			})
		}
	},
}

// crowd describes a node with too many pods; "": it does not have too many.
func crowd(count, limit int) string {
	switch {
	case limit > 0 && limit < mechanics.TestedPods && count > limit+limit/10:
		return fmt.Sprintf("the node has %d pods, but its limit is %d", count, limit)
	case count > mechanics.TestedPods:
		return fmt.Sprintf("the node has %d pods (Kubernetes is tested with up to %d)", count, mechanics.TestedPods)
	}
	return ""
}

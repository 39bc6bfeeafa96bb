package rules

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// podsLimit finds nodes whose pod slots are used up.
var podsLimit = &triage.Rule{
	ID:    "pods-limit",
	Doc:   "Compares the pods of a node with the number that it accepts.",
	Needs: []evidence.Kind{evidence.Nodes, evidence.Pods},
	Check: func(p *triage.Pass) {
		if p.Snapshot.Covers(evidence.Pods) != evidence.Complete && p.Snapshot.Data().Source.Node == "" {
			return // too few pods seen to count them
		}
		for _, n := range p.Snapshot.Data().Nodes {
			limit := n.Node.Status.Allocatable.Name(corev1.ResourcePods, "").Value()
			if limit == 0 {
				continue
			}
			used := int64(0)
			for _, pod := range p.Snapshot.PodsOn(n.Name) {
				if !pod.Finished() {
					used++
				}
			}
			if used < limit {
				continue
			}
			p.Found(triage.Claim{
				Says: "pod-density-limit", Subject: n.Subject(), Confidence: triage.Likely,
				Summary:  fmt.Sprintf("node %s holds %d pods of the %d that it accepts", n.Name, used, limit),
				Evidence: []evidence.Ref{nodeRef(n, ".status.allocatable.pods", "%d; %d pods are bound", limit, used)},
			})
		}
	},
}

package nodes

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// Removal finds nodes that an autoscaler or a person removes on purpose. While that proceeds, neither the removal nor its effects
// are a fault. A removal that takes too long is judged like any failed node.
var Removal = &triage.Rule{
	ID:    "node-removal",
	Doc:   "Finds nodes that the cluster autoscaler, Karpenter or a user removes on purpose: by taints, and by deletion of the Node or Machine object.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.Nodes},
	Reads: []evidence.Kind{evidence.CloudState, evidence.Pods},
	Check: func(p *triage.Pass) {
		for _, n := range p.Snapshot.Nodes() {
			r, ref := facts.Leaving(p, n)
			if r == nil {
				if began := n.Removal(); began != nil {
					p.RuleOut(facts.RemovalCause, n.Subject(), began.What+" ("+wording.Ago(p.Now, began.Since)+"), which takes too long or started after the failure")
				}
				continue
			}
			summary := r.What
			if !r.Since.IsZero() {
				summary += " (" + wording.Ago(p.Now, r.Since) + ")"
			}
			p.Found(triage.Claim{
				Says: facts.RemovalCause, Subject: n.Subject(), Certainty: triage.Likely, Since: r.Since, Evidence: []evidence.Ref{ref}, Summary: summary,
			})
		}
	},
}

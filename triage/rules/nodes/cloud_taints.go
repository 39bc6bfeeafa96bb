package nodes

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// saidByTaint maps taints of cloud controllers to claims. Sources: k8s.io/cloud-provider api/well_known_taints.go; the
// documentation of AKS node auto-drain, GKE graceful termination and aws-node-termination-handler.
var saidByTaint = map[string]triage.Claim{
	"node.cloudprovider.kubernetes.io/uninitialized": {
		Says: "cloud-provider-uninitialized", Certainty: triage.Certain, Summary: "the cloud controller has not initialized the node",
	},
	"node.cloudprovider.kubernetes.io/shutdown": {
		Says: "machine-off", Certainty: triage.Certain, Summary: "the cloud controller reports the VM as shut down",
	},
	evidence.TaintRemediator: {
		Says: "cloud-host-maintenance", Certainty: triage.Likely, Summary: "AKS drains the node for a scheduled event of the platform",
	},
	"cloud.google.com/impending-node-termination": {
		Says: "cloud-host-maintenance", Certainty: triage.Certain, Summary: "the cloud is about to terminate the VM",
	},
	"aws-node-termination-handler/spot-itn": {
		Says: "cloud-spot-eviction", Certainty: triage.Certain, Summary: "the cloud is evicting the spot VM",
	},
	"aws-node-termination-handler/scheduled-maintenance": {
		Says: "cloud-host-maintenance", Certainty: triage.Likely, Summary: "the cloud has scheduled maintenance of the VM",
	},
}

// CloudTaints reads the taints of cloud controllers: not initialized, shut down, about to be reclaimed or repaired. A new node is
// not initialized yet, which is normal.
var CloudTaints = &triage.Rule{
	ID:    "cloud-taints",
	Doc:   "Reads taints of cloud controllers on nodes.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.Nodes},
	Check: func(p *triage.Pass) {
		var tables []string
		for _, n := range p.Snapshot.Nodes() {
			found := false
			for _, t := range n.Spec.Taints {
				c, known := saidByTaint[t.Key]
				if !known || c.Says == "cloud-provider-uninitialized" && facts.NewNode(p, n) {
					continue
				}
				if t.Key == evidence.TaintRemediator && !announced(n) {
					continue // left behind; rule cordon reports it
				}
				found = true
				c.Subject, c.Key = n.Subject(), t.Key
				c.Evidence = []evidence.Ref{facts.NodeRef(n, ".spec.taints", "%s=%s:%s", t.Key, t.Value, t.Effect)}
				if t.TimeAdded != nil {
					c.Since = t.TimeAdded.UTC()
				}
				p.Found(c)
			}
			switch {
			case found || !n.NotReady():
			case n.Partial && len(n.Spec.Taints) == 0:
				tables = append(tables, n.Name)
			case facts.Recent(p, n):
				p.RuleOut("cloud-provider-uninitialized", n.Subject(), "it has no taint of the cloud controller")
			}
		}
		if len(tables) > 0 {
			p.Unknown("the taints of "+wording.Some(tables), "a table does not contain them", "kubectl get nodes -o yaml")
		}
	},
}

// announced reports whether the AKS monitor still reports an announced event for the machine.
func announced(n *evidence.Node) bool {
	c := n.Condition("VMEventScheduled")
	return c == nil || c.Status != corev1.ConditionFalse
}

package rules

import (
	"fmt"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// cloudTaints reads the taints that cloud controllers leave: not initialised, shut down, about to be taken
// back or repaired.
var cloudTaints = &triage.Rule{
	ID:    "cloud-taints",
	Doc:   "Reads taints of cloud controllers on nodes.",
	Needs: []evidence.Kind{evidence.Nodes},
	Check: func(p *triage.Pass) {
		for _, n := range p.Snapshot.Data().Nodes {
			for _, t := range n.Spec.Taints {
				says, summary := "", ""
				confidence := triage.Certain
				switch t.Key {
				case "node.cloudprovider.kubernetes.io/uninitialized":
					says, summary = "cloud-provider-uninitialized", "the cloud controller has not initialised the node"
					if age, ok := p.Age(n.CreationTimestamp.UTC()); ok && age < 2*time.Minute && !n.CreationTimestamp.IsZero() {
						confidence = triage.Possible // a young node: normal so far
					}
				case "node.cloudprovider.kubernetes.io/shutdown":
					says, summary = "machine-off", "the cloud says that the machine is shut down"
				case "remediator.kubernetes.azure.com/unschedulable":
					says, summary = "cloud-host-maintenance", "AKS drains the node for an event announced by the platform"
					confidence = triage.Likely
				case "cloud.google.com/impending-node-termination":
					says, summary = "cloud-host-maintenance", "the cloud is about to end the machine"
				case "aws-node-termination-handler/spot-itn":
					says, summary = "cloud-spot-eviction", "the cloud takes the spot machine back"
				}
				if says == "" {
					continue
				}
				p.Found(triage.Claim{
					Says: says, Subject: n.Subject(), Confidence: confidence, Summary: summary, Key: t.Key,
					Evidence: []evidence.Ref{nodeRef(n, ".spec.taints", "%s=%s:%s", t.Key, t.Value, t.Effect)},
				})
			}
			if n.Taint("node.cloudprovider.kubernetes.io/uninitialized") == nil && len(n.Spec.Taints) > 0 && !n.Partial {
				p.RuleOut("cloud-provider-uninitialized", n.Subject(), fmt.Sprintf("%d taints, none of the cloud controller's", len(n.Spec.Taints)))
			}
		}
	},
}

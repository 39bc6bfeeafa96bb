package rules

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// nodeNotReady records which nodes are not Ready, and whether the kubelet says so or is silent. Neither is a
// cause.
var nodeNotReady = &triage.Rule{
	ID:    "node-not-ready",
	Doc:   "Reads the Ready condition: False is the kubelet's word, Unknown means that the kubelet is silent.",
	Needs: []evidence.Kind{evidence.Nodes},
	Check: func(p *triage.Pass) {
		for _, n := range p.Snapshot.Data().Nodes {
			c := n.Condition(corev1.NodeReady)
			if c == nil || c.Status == corev1.ConditionTrue {
				continue
			}
			refs := []evidence.Ref{conditionRef(n, c)}
			lease := p.Snapshot.NodeLease(n.Name)
			if lease != nil {
				refs = append(refs, leaseRef(lease))
			}
			says := "node-not-ready"
			if n.Silent() {
				says = "node-silent"
				p.Unknown(fmt.Sprintf("why the kubelet of %s is silent", n.Name),
					"the API shows only that it stopped reporting "+ago(p.Now, c.LastTransitionTime.UTC()),
					"on the node: nodetriage node-check, or systemctl status kubelet and journalctl -u kubelet -n 200; "+
						"in the cloud: the machine's power and provisioning state")
			}
			p.Found(triage.Claim{Says: says, Subject: n.Subject(), Evidence: refs, Since: c.LastTransitionTime.UTC()})
		}
	},
}

package nodes

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// NotReady records which nodes are NotReady, and whether the kubelet reports that or is unreachable. Neither is a cause. A kubelet
// that still renews its lease runs, even if it reports something else.
var NotReady = &triage.Rule{
	ID:    "node-not-ready",
	Doc:   "Reads the Ready condition. The kubelet reports False; Unknown means that the kubelet stopped reporting.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.Nodes},
	Reads: []evidence.Kind{evidence.Leases, evidence.Messages, evidence.CloudState, evidence.Pods},
	Check: func(p *triage.Pass) {
		var silent, tables, down []string
		inside := facts.SeenFromInside(p)
		for _, n := range p.Snapshot.Described() {
			c := n.Reporting()
			if c == nil || c.Status == corev1.ConditionTrue || facts.Joining(p, n) {
				continue
			}
			if facts.Replacing(p, n) {
				p.RuleOut("node-lost", n.Subject(), "an upgrade is replacing its VM")
				continue
			}
			if r, _ := facts.Leaving(p, n); r != nil {
				p.RuleOut("node-lost", n.Subject(), r.What)
				continue
			}
			refs := []evidence.Ref{facts.ConditionRef(n, c)}
			if lease := p.Snapshot.NodeLease(n.Name); lease != nil && !lease.Renewed.IsZero() {
				refs = append(refs, facts.LeaseRef(lease))
			}
			says := "node-not-ready"
			if n.Silent() {
				says = "node-silent"
				if !inside[n.Name] && !inside[""] {
					silent = append(silent, n.Name)
				}
			} else if facts.Stale(p, n, c); n.Partial && c.Reason == "" {
				tables = append(tables, n.Name)
			} else if ok, age := facts.Beats(p, n.Name); ok == evidence.True {
				because := fmt.Sprintf("its kubelet renewed the Lease %s ago", wording.Duration(age))
				for _, cause := range []string{"node-lost", "machine-off", "kubelet-stopped", "network-partition"} {
					p.RuleOut(cause, n.Subject(), because)
				}
			}
			if facts.SaysRuntimeDown(p, n.Name) && !inside[n.Name] && !inside[""] {
				down = append(down, n.Name)
			}
			p.Found(triage.Claim{Says: says, Subject: n.Subject(), Evidence: refs, Since: c.LastTransitionTime.UTC()})
		}
		if len(down) > 0 {
			p.Unknown("whether the runtime of "+wording.Some(down)+" is stopped or hung", "its kubelet reports both as down", "on the node: nodetriage node-check, or timeout 10 crictl pods")
		}
		if len(tables) > 0 {
			p.Unknown("whether the kubelet of "+wording.Some(tables)+" reports NotReady or stopped reporting", "a table shows NotReady for both", "kubectl get nodes -o yaml")
		}
		if len(silent) > 0 {
			p.Unknown("why the kubelet of "+wording.Some(silent)+" stopped reporting",
				"the API does not show the reason",
				"on the node: nodetriage node-check, or systemctl status kubelet and journalctl -u kubelet -n 200; "+
					"in the cloud: power and provisioning state of the VM")
		}
	},
}

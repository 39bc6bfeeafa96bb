package rules

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// nodeNotReady records which nodes are not Ready, and whether the kubelet says so or is silent. Neither is a
// cause. A kubelet that still renews its lease lives, whatever it says.
var nodeNotReady = &triage.Rule{
	ID:    "node-not-ready",
	Doc:   "Reads the Ready condition: False is the kubelet's word, Unknown means that the kubelet is silent.",
	Needs: []evidence.Kind{evidence.Nodes},
	Reads: []evidence.Kind{evidence.Leases, evidence.Messages},
	Check: func(p *triage.Pass) {
		var silent, tables, down []string
		inside := seenFromInside(p)
		for _, n := range p.Snapshot.Data().Nodes {
			c := n.Condition(corev1.NodeReady)
			if c == nil || c.Status == corev1.ConditionTrue || joining(p, n) {
				continue
			}
			if replacing(p, n) {
				p.RuleOut("node-lost", n.Subject(), "an upgrade is replacing its machine")
				continue
			}
			refs := []evidence.Ref{conditionRef(n, c)}
			if lease := p.Snapshot.NodeLease(n.Name); lease != nil && !lease.Renewed.IsZero() {
				refs = append(refs, leaseRef(lease))
			}
			says := "node-not-ready"
			if n.Silent() {
				says = "node-silent"
				if !inside[n.Name] && !inside[""] {
					silent = append(silent, n.Name)
				}
			} else if stale(p, n, c); n.Partial && c.Reason == "" {
				tables = append(tables, n.Name)
			} else if ok, age := beats(p, n.Name); ok == evidence.True {
				because := fmt.Sprintf("its kubelet renewed the lease %s ago", short(age))
				for _, cause := range []string{"node-lost", "machine-off", "kubelet-stopped", "network-partition"} {
					p.RuleOut(cause, n.Subject(), because)
				}
			}
			if saysRuntimeDown(p, n.Name) && !inside[n.Name] && !inside[""] {
				down = append(down, n.Name)
			}
			p.Found(triage.Claim{Says: says, Subject: n.Subject(), Evidence: refs, Since: c.LastTransitionTime.UTC()})
		}
		if len(down) > 0 {
			p.Unknown("whether the runtime of "+some(down)+" is stopped or hangs", "to its kubelet both are down", "on the node: nodetriage node-check, or timeout 10 crictl pods")
		}
		if len(tables) > 0 {
			p.Unknown("whether the kubelet of "+some(tables)+" says NotReady or is silent", "a table shows both alike", "kubectl get nodes -o yaml")
		}
		if len(silent) > 0 {
			p.Unknown("why the kubelet of "+some(silent)+" is silent",
				"the API shows only that it stopped reporting",
				"on the node: nodetriage node-check, or systemctl status kubelet and journalctl -u kubelet -n 200; "+
					"in the cloud: the machine's power and provisioning state")
		}
	},
}

// joining tells whether the node registered so lately that it cannot be Ready yet: network agents need a moment.
// Not joining are:
//   - one that stopped being Ready before its object was made: it registered again;
//   - one that posted a status and then stopped posting;
//   - one that has not been like this from the start: it was Ready in between.
func joining(p *triage.Pass, n *evidence.Node) bool {
	made := n.CreationTimestamp.UTC()
	age, known := p.Age(made)
	if !known || n.CreationTimestamp.IsZero() || age >= 3*time.Minute || since(n).Before(made) {
		return false
	}
	c := n.Condition(corev1.NodeReady)
	return c == nil || c.Reason != "NodeStatusUnknown" && since(n).Sub(made) < registering
}

// registering is how long a kubelet may take from making its object to its first status.
const registering = 20 * time.Second

// seenFromInside names the nodes of which the evidence has something from within; "" is a node without a name.
func seenFromInside(p *triage.Pass) map[string]bool {
	out := map[string]bool{}
	for _, r := range p.Snapshot.Data().NodeReports {
		out[r.Node] = true
	}
	for _, m := range p.Snapshot.Data().Matches {
		if m.Kind == "" || m.Kind == evidence.TextLog || m.Kind == evidence.TextCommand {
			out[nodeOf(p.Snapshot, m.Subject)] = true
		}
	}
	return out
}

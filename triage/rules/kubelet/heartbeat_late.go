package kubelet

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// HeartbeatLate reads leases of nodes that are still Ready. A kubelet that missed renewals is unhealthy, although it is unknown
// whether it stopped. If its port gives no answer either, one missed renewal is enough.
var HeartbeatLate = &triage.Rule{
	ID:    "heartbeat-late",
	Doc:   "Finds Ready nodes whose kubelet missed several renewals of its Lease, or one renewal while port 10250 does not answer.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.Nodes, evidence.Leases},
	Reads: []evidence.Kind{evidence.Kubelets},
	Check: func(p *triage.Pass) {
		closed := map[string]*evidence.Kubelet{}
		for _, k := range p.Snapshot.Kubelets() {
			if how := facts.PortAnswer(k); how == "refused" || how == "silence" {
				closed[k.Node] = k
			}
		}
		for _, n := range p.Snapshot.Nodes() {
			l := p.Snapshot.NodeLease(n.Name)
			if l == nil || l.Renewed.IsZero() || n.Ready() != evidence.True {
				continue
			}
			age, known := facts.LeaseAge(p, l)
			k := closed[n.Name]
			switch {
			case !known:
				p.Unknown("whether the kubelet of "+n.Name+" renews its Lease in time", "the time of the evidence is unknown", "kubectl get leases -n kube-node-lease, twice within a minute")
				continue
			case age <= mechanics.FreshLease, age <= mechanics.MissedLease && k == nil:
				continue
			}
			ref := facts.LeaseRef(l)
			ref.Text += fmt.Sprintf(", %s ago; a kubelet renews its Lease every 10s", wording.Duration(age))
			refs := []evidence.Ref{ref}
			if k != nil {
				refs = append(refs, evidence.Ref{Source: "kubelet of node/" + k.Node, Locator: "/healthz", Text: k.Error, ObservedAt: k.TakenAt})
			}
			p.Found(triage.Claim{Says: "heartbeat-late", Subject: n.Subject(), Since: l.Renewed, Evidence: refs})
		}
	},
}

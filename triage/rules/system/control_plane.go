package system

import (
	"fmt"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// ControlPlane reads the leader election leases of the controllers: without a node controller, no node is marked NotReady or Ready.
// A lease is only old compared with newer leases of the same evidence, because the whole list may be old.
var ControlPlane = &triage.Rule{
	ID:    "control-plane",
	Doc:   "Reads the Leases of kube-controller-manager and kube-scheduler, and whether all nodes became unreachable at the same time.",
	Needs: []evidence.Kind{evidence.Leases},
	Reads: []evidence.Kind{evidence.Nodes},
	Check: func(p *triage.Pass) {
		var newest time.Time
		for _, l := range p.Snapshot.Leases() {
			if l.Renewed.After(newest) && facts.AheadBy(p, l) < facts.WrongClock { // the clock of the node is wrong
				newest = l.Renewed
			}
		}
		locks := 0
		for _, l := range p.Snapshot.Leases() {
			if l.Namespace != "kube-system" || l.Name != "kube-controller-manager" && l.Name != "kube-scheduler" || l.Renewed.IsZero() {
				continue
			}
			locks++
			age := newest.Sub(l.Renewed)
			if age <= max(4*l.Duration, time.Minute) { // a leader renews every few seconds
				p.RuleOut("control-plane-degraded", evidence.ClusterSubject(), fmt.Sprintf("%s renewed its leader Lease at %s", l.Name, l.Renewed.Format("15:04:05Z")))
				continue
			}
			p.Found(triage.Claim{
				Says: "control-plane-degraded", Subject: evidence.ClusterSubject(), Certainty: triage.Likely, Key: l.Name, Since: l.Renewed,
				Evidence: []evidence.Ref{facts.LeaseRef(l)},
				Summary:  fmt.Sprintf("%s has not renewed its leader Lease for %s: it is not running or cannot reach the API server", l.Name, wording.Duration(age)),
			})
		}
		if locks == 0 {
			p.Unknown("controller health", "leader Leases not read", "kubectl get leases -n kube-system")
		}
		allSilent(p)
	},
}

// allSilent claims a common cause if all nodes are unreachable.
func allSilent(p *triage.Pass) {
	nodes := p.Snapshot.Nodes()
	if p.Snapshot.Covers(evidence.Nodes) != evidence.Complete || len(nodes) < 2 {
		return
	}
	for _, n := range nodes {
		if !n.Silent() {
			return
		}
	}
	p.Found(triage.Claim{
		Says: "control-plane-degraded", Subject: evidence.ClusterSubject(), Certainty: triage.Possible, Key: "all",
		Summary:  fmt.Sprintf("all %d nodes are unreachable: check the API server and its load balancer first", len(nodes)),
		Evidence: []evidence.Ref{facts.NodeRef(nodes[0], ".status.conditions[Ready]", "Unknown, as on every other node")},
	})
}

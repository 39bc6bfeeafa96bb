package facts

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// AfterReport are the kinds that a rule must read to check whether a node report is outdated.
var AfterReport = []evidence.Kind{evidence.Nodes, evidence.Leases}

// FoundByReport claims what a node report shows. It is resolved if the node became Ready after the report, or renewed its lease,
// which the problem would prevent. All these times come from the clock of the node.
func FoundByReport(p *triage.Pass, r *nodereport.Report, c triage.Claim) {
	if end, over := afterReport(p, r.Node, r.TakenAt, c.Says); over {
		p.Over(c, end.By, end.At)
		return
	}
	p.Found(c)
}

func afterReport(p *triage.Pass, name string, taken time.Time, says string) (triage.End, bool) {
	n := p.Snapshot.Node(name)
	if n == nil || n.Partial || taken.IsZero() || n.Ready() != evidence.True {
		return triage.End{}, false
	}
	if ready := n.Condition(corev1.NodeReady).LastTransitionTime.UTC(); StopsNode(p, says) && timeline.CameLater(p.Snapshot, ready, taken) {
		return triage.End{By: "node " + name + " has been Ready since " + timeline.Stamp(ready), At: ready}, true
	}
	if l := p.Snapshot.NodeLease(name); l != nil && SilencesNode(p, says) && timeline.CameLater(p.Snapshot, l.Renewed, taken) {
		return triage.End{By: "its kubelet renewed the Lease at " + timeline.Stamp(l.Renewed), At: l.Renewed}, true
	}
	return triage.End{}, false
}

// StopsNode reports whether no node is Ready while the problem lasts, or whether it is about a node that came back. A problem that
// only may stop a node is not enough: an isolated node becomes Ready again even with a failing disk.
func StopsNode(p *triage.Pass, says string) bool {
	keeps := p.Catalog.Keeps(says)
	stops := keeps == catalog.Ready || keeps == catalog.Answering || keeps == catalog.Reporting
	return stops || p.Catalog.Role(says) == catalog.Transient
}

// SilencesNode reports whether no kubelet reports while the problem lasts.
func SilencesNode(p *triage.Pass, says string) bool {
	return p.Catalog.Keeps(says) == catalog.Reporting
}

package facts

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/nodereport"
	"github.com/nodetriage/nodetriage/triage"
)

// AfterReport is what a rule must read to tell whether what a report shows is over.
var AfterReport = []evidence.Kind{evidence.Nodes, evidence.Leases}

// FoundByReport claims what a report of a node shows; it is over where the node became Ready after the report, or renewed its
// lease, which it could not have done otherwise. All three are told by the clock of the node.
func FoundByReport(p *triage.Pass, r *nodereport.Report, c triage.Claim) {
	if end, over := afterReport(p, r.Node, r.TakenAt, c.Says); over {
		p.Over(c, end.By, end.At)
		return
	}
	p.Found(c)
}

func afterReport(p *triage.Pass, name string, taken time.Time, says string) (ending, bool) {
	n := p.Snapshot.Node(name)
	if n == nil || n.Partial || taken.IsZero() || n.Ready() != evidence.True {
		return ending{}, false
	}
	if ready := n.Condition(corev1.NodeReady).LastTransitionTime.UTC(); stopsNode(p, says) && cameLater(p, ready, taken) {
		return ending{"node " + name + " is Ready since " + stamp(ready), ready}, true
	}
	if l := p.Snapshot.NodeLease(name); l != nil && silencesNode(p, says) && cameLater(p, l.Renewed, taken) {
		return ending{"its kubelet renewed the lease at " + stamp(l.Renewed), l.Renewed}, true
	}
	return ending{}, false
}

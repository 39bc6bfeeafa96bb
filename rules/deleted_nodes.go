package rules

import (
	"fmt"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/nodereport"
	"github.com/nodetriage/nodetriage/triage"
)

// lately is how long ago something was that may be asked about.
const lately = time.Hour

// deletedNodes finds node objects that were deleted while their kubelets run: a kubelet makes its object only when it starts.
// That the machine is gone too is the usual reason, and nothing in the API tells the two apart.
var deletedNodes = &triage.Rule{
	ID:    "deleted-nodes",
	Doc:   "Compares removals of nodes by the node controller with the nodes that are there and with kubelets that run.",
	Needs: []evidence.Kind{evidence.Nodes, evidence.Events},
	Check: func(p *triage.Pass) {
		if p.Snapshot.Covers(evidence.Nodes) != evidence.Complete {
			return
		}
		for _, e := range p.Snapshot.Data().Events {
			age, known := p.Age(e.Last)
			if e.Reason != "RemovingNode" || e.Object.Kind != "Node" || p.Snapshot.Node(e.Object.Name) != nil || !known || age > lately {
				continue
			}
			r := runningOn(p, e.Object.Name)
			if r == nil {
				p.Unknown("whether the machine of "+e.Object.Name+" is gone too", "its node object was deleted "+short(age)+" ago; that is all the API knows",
					"on the node: nodetriage node-check, or systemctl status kubelet; in the cloud: whether the machine exists")
				continue
			}
			p.Found(triage.Claim{
				Says: "node-object-deleted", Subject: evidence.NodeSubject(e.Object.Name), Confidence: triage.Certain, Since: e.Last, Key: "removed",
				Summary: fmt.Sprintf("the object of node %s was deleted %s ago, and its kubelet runs", e.Object.Name, short(age)),
				Evidence: []evidence.Ref{
					{Source: "event of node/" + e.Object.Name, Locator: e.Reason, Text: e.Message, ObservedAt: e.Last},
					reportRef(r, r.Kubelet.Ref, "kubelet", "/healthz answers %s", r.Kubelet.Healthz),
				},
			})
		}
	},
}

// runningOn is the report of the machine of that name, if its kubelet answered.
func runningOn(p *triage.Pass, node string) *nodereport.Report {
	for _, r := range p.Snapshot.Data().NodeReports {
		if r.Node == node && r.Kubelet != nil && r.Kubelet.Healthz == "ok" {
			return r
		}
	}
	return nil
}

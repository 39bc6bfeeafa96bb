package nodes

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// Devices finds unhealthy devices by the amounts that a node reports. Only the device plugin knows which device it is, and why.
var Devices = &triage.Rule{
	ID:    "devices",
	Doc:   "Compares allocatable with capacity of extended resources (GPUs and other devices): a lower value means that the device plugin reports some of the devices as unhealthy.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.Nodes},
	Check: func(p *triage.Pass) {
		for _, n := range p.Snapshot.Nodes() {
			for _, d := range mechanics.UnhealthyDevices(n.Node) {
				p.Found(triage.Claim{
					Says: "device-unhealthy", Subject: n.Subject(), Key: string(d.Resource),
					Evidence: []evidence.Ref{facts.NodeRef(n, ".status.allocatable["+string(d.Resource)+"]", "%d of %d: the device plugin reports %d as unhealthy", d.All-d.Unhealthy, d.All, d.Unhealthy)},
				})
			}
		}
	},
}

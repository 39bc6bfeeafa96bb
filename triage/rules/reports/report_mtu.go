package reports

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// MTU checks whether full tunnel packets fit the MTU of the network card.
var MTU = &triage.Rule{
	ID:    "report-mtu",
	Doc:   "Compares the MTU of the pod network's tunnels with the MTU of the network interface.",
	Needs: []evidence.Kind{evidence.NodeReports},
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			card := nodereport.Link{}
			for _, route := range r.Routes {
				for _, l := range r.Links {
					if route.Destination == "default" && l.Name == route.Device && l.MTU > card.MTU {
						card = l
					}
				}
			}
			if card.MTU == 0 {
				return
			}
			for _, l := range r.Links {
				over, tunnel := components.Tunnel(l.Name)
				if !tunnel || l.MTU == 0 || l.State == "DOWN" || l.MTU+over <= card.MTU {
					continue
				}
				p.Found(triage.Claim{
					Says: "packet-loss", Subject: subject, Certainty: triage.Possible, Severity: catalog.Warning, Key: "mtu " + l.Name,
					Evidence: []evidence.Ref{facts.ReportRef(r, "", "ip link", "%s mtu %d, %s mtu %d", l.Name, l.MTU, card.Name, card.MTU)},
					Summary:  fmt.Sprintf("MTU %d of %s plus the tunnel header is %d, but %s has MTU %d", l.MTU, l.Name, l.MTU+over, card.Name, card.MTU),
				})
			}
		})
	},
}

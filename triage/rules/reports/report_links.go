package reports

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// cards matches Linux names of network cards; bridges, tunnels and the interfaces of pods have other names.
var cards = lazyregexp.New(`^(?:eth\d+|en[opsx]\S+|ens\d+\S*|wl\S+|bond\d+)$`)

// Links checks the network cards of a node: without one up, the node is unreachable. A card that is up does not prove that the
// network behind it works.
var Links = &triage.Rule{
	ID:    "report-links",
	Doc:   "Reads ip link and ip route of the node.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.NodeReports},
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			var down []string
			up, seen := 0, 0
			for _, l := range r.Links {
				if !cards.MatchString(l.Name) {
					continue
				}
				seen++
				if l.State == "DOWN" || slices.Contains(l.Flags, "NO-CARRIER") {
					down = append(down, l.Name)
				} else if l.State == "UP" {
					up++
				}
			}
			switch {
			case up > 0:
			case len(down) > 0 && len(down) == seen:
				p.Found(triage.Claim{
					Says: "network-partition", Subject: subject, Certainty: triage.Likely, Key: "links",
					Evidence: []evidence.Ref{facts.ReportRef(r, linkLine(r, down[0]), "ip link", "%s is down", down[0])},
					Summary:  "no network interface of the node is up: " + strings.Join(down, ", "),
				})
			case len(r.Links) > 0:
				p.Unknown("whether the network interfaces of "+facts.TheNode(r.Node)+" are up", "their state was not read", "ip link")
			}
		})
	},
}

func linkLine(r *nodereport.Report, name string) string {
	for _, l := range r.Links {
		if l.Name == name {
			return l.Ref
		}
	}
	return ""
}

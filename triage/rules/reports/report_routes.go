package reports

import (
	"fmt"
	"net/netip"
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// Routes checks the routes in a node report: the default route, and the one to the node's own pods.
var Routes = &triage.Rule{
	ID:    "report-routes",
	Doc:   "Reads the routes of the node: the default route, and the route to its pod CIDR.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.NodeReports},
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			if !tellsRoutes(r) {
				return
			}
			judgeDefaultRoute(p, subject, r)
			judgePodRoute(p, subject, r)
		})
	},
	// A restarted network manager may have removed routes; these exist.
	JudgesInstead: func(p *triage.Pass, m *evidence.Match) bool {
		return slices.ContainsFunc(p.Snapshot.Reports(p.Snapshot.NodeOf(m.Subject)), func(r *nodereport.Report) bool {
			lost, told := lostRoutes(r)
			return told && len(lost) == 0 && r.TakenAt.After(m.Last)
		})
	},
}

// tellsRoutes reports whether the report has all routes. Pasted output may contain only links.
func tellsRoutes(r *nodereport.Report) bool {
	asked := len(r.Routes) > 0 || r.Machine != nil
	return r.Kind == nodereport.Kind && len(r.Links) > 0 && asked
}

func judgeDefaultRoute(p *triage.Pass, subject evidence.Subject, r *nodereport.Report) {
	out, ways := 0, 0
	for _, route := range r.Routes {
		if route.Destination == "default" {
			out++
		}
	}
	unreached := facts.SilentServer(r)
	for _, c := range r.Connections {
		if c.Peer == "api-server" {
			ways++
		}
	}
	if out > 0 || ways > 0 && unreached == nil {
		return // a cluster without internet access may be intended
	}
	c := triage.Claim{
		Says: "network-partition", Subject: subject, Certainty: triage.Likely, Key: "default route",
		Evidence: []evidence.Ref{facts.ReportRef(r, "", "ip route", "%d routes, none of them default", len(r.Routes))},
		Summary:  "the node has no default route",
	}
	if unreached != nil {
		c.Summary += ", and the API server does not answer"
		c.Evidence = append(c.Evidence, facts.ReportRef(r, unreached.Ref, unreached.Target, "%s", unreached.Answer))
	} else {
		c.Certainty, c.Severity = triage.Possible, catalog.Warning
	}
	p.Found(c)
}

func judgePodRoute(p *triage.Pass, subject evidence.Subject, r *nodereport.Report) {
	lost, _ := lostRoutes(r)
	for _, text := range lost {
		p.Found(triage.Claim{
			Says: "host-network-manager-conflict", Subject: subject, Certainty: triage.Likely, Key: "route " + text,
			Evidence: []evidence.Ref{facts.ReportRef(r, "", "ip route", "%d routes, none of them to %s", len(r.Routes), text)},
			Summary:  fmt.Sprintf("bridge %s exists, but the route to the node's pod CIDR %s is missing", r.CNI.Network.Bridge, text),
		})
	}
}

// lostRoutes returns the pod ranges of the node without a route, and whether the report has these routes.
func lostRoutes(r *nodereport.Report) (lost []string, told bool) {
	if r.CNI == nil || r.CNI.Network == nil || r.CNI.Network.Bridge == "" {
		return nil, false
	}
	n := r.CNI.Network
	if !slices.ContainsFunc(r.Links, func(l nodereport.Link) bool { return l.Name == n.Bridge }) {
		return nil, false // the plugin creates it with the first pod
	}
	for _, text := range n.Ranges {
		own, err := netip.ParsePrefix(text)
		if err == nil && own.Addr().Is4() && !slices.ContainsFunc(r.Routes, func(route nodereport.Route) bool { return covers(route, own) }) {
			lost = append(lost, text)
		}
	}
	return lost, len(n.Ranges) > 0
}

// covers reports whether a route leads to the range, or to a part or the whole of it. The default route does not count.
func covers(route nodereport.Route, own netip.Prefix) bool {
	to, err := netip.ParsePrefix(route.Destination)
	return err == nil && to.Overlaps(own)
}

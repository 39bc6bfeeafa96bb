package reports

import (
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// Lookups checks name lookups on the node. Names of cluster services are left out, because the node's resolver does not have them.
var Lookups = &triage.Rule{
	ID:    "report-lookups",
	Doc:   "Reads nslookup, dig and host on the node: DNS servers that do not answer, and required names that do not resolve.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.NodeReports},
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			good, odd := 0, 0
			for _, l := range r.Lookups {
				if l.Answer == "ok" {
					good++
				}
			}
			for _, l := range r.Lookups {
				if l.Answer == "ok" || clusterName(l.Name) {
					continue
				}
				odd++
				c := triage.Claim{
					Says: "node-dns-failure", Subject: subject, Key: "lookup", Certainty: triage.Possible,
					Evidence: []evidence.Ref{facts.ReportRef(r, l.Ref, "lookup of "+l.Name, "%s", l.Answer)},
					Summary:  fmt.Sprintf("%s does not resolve on the node (%s)", facts.OrUnknown(l.Name), l.Answer),
				}
				silent := l.Answer == "timeout" || l.Answer == "refused"
				switch {
				case silent && good == 0:
					c.Certainty = triage.Likely
					c.Summary = strings.Join(strings.Fields("the DNS server "+l.Server+" does not answer the node"), " ") + " (" + l.Answer + ")"
				case l.Name == "localhost" || subject.Name != "" && l.Name == subject.Name || facts.ApiName(l.Name):
					c.Certainty = triage.Likely
				case good > 0 && !silent:
					continue // other names resolve; this one may not exist
				}
				p.Found(c)
			}
			switch {
			case good > 0 && odd == 0:
				p.RuleOut("node-dns-failure", subject, fmt.Sprintf("%s resolved on the node", wording.Count(good, "name")))
			case len(r.Lookups) > 0 && good == 0 && odd == 0:
				p.Unknown("whether names resolve on "+facts.TheNode(r.Node), "only names of cluster services were looked up", "nslookup of the API server's name and of the registry, on the node itself")
			}
		})
	},
}

// clusterName reports whether a name is in the cluster's DNS, which resolvers of nodes need not have.
func clusterName(name string) bool {
	service := strings.HasSuffix(name, ".svc") || strings.Contains(name, ".svc.")
	return service || strings.Contains(name, "cluster.local") || strings.HasPrefix(name, "kubernetes.default")
}

package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// Components checks units of components that run as pods elsewhere. An active unit does not prove that the component works.
var Components = &triage.Rule{
	ID:    "report-components",
	Doc:   "Finds enabled systemd units of kube-proxy, the control plane, etcd and network agents that are not running.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.NodeReports},
	Reads: slices.Concat(facts.AfterReport, []evidence.Kind{evidence.Pods}),
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			for _, u := range r.Units {
				c := components.OfUnit(u.Name)
				if c == nil || c.StartsPods() { // rule report-units handles those
					continue
				}
				stopped := u.Active == "inactive" || u.Active == "failed" || u.Sub == "auto-restart"
				if c.Stopped() == "" || u.Load != "loaded" || !stopped {
					continue
				}
				if worksAsPod(p, strings.TrimSuffix(u.Name, ".service")) { // it uses the port that a unit of the distribution wants
					continue
				}
				if u.Enabled == "" {
					p.Unknown("whether "+u.Name+" should run on "+facts.TheNode(r.Node), "its unit exists, but is not running", shell.Format("systemctl is-enabled {unit}", u.Name))
					continue
				}
				if u.Enabled != "enabled" { // the admin left it disabled
					continue
				}
				claim := triage.Claim{
					Says: c.Stopped(), Subject: subject, Certainty: triage.Certain, Since: u.Since, Key: u.Name,
					Summary:  fmt.Sprintf("%s is not running (%s)", u.Name, state(u)),
					Evidence: []evidence.Ref{facts.ReportRef(r, u.Ref, u.Name, "Active: %s (%s)", u.Active, u.Sub)},
				}
				if c.Role != components.Proxy {
					claim.Certainty = triage.Likely // another machine may do the work
				}
				facts.FoundByReport(p, r, claim)
			}
		})
	},
}

// worksAsPod reports whether a pod of that component works in the cluster.
func worksAsPod(p *triage.Pass, component string) bool {
	return slices.ContainsFunc(p.Snapshot.Pods(), func(pod *evidence.Pod) bool {
		return strings.HasPrefix(pod.Name, component+"-") && evidence.ComponentNamespace(pod.Namespace) && pod.Works()
	})
}

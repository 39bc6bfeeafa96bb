package reports

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// Needs checks kernel modules and sysctls that the configured network needs.
var Needs = &triage.Rule{
	ID:    "report-needs",
	Doc:   "Compares kernel modules and settings with those that the node's network configuration needs, now and after a reboot.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.NodeReports},
	Reads: []evidence.Kind{evidence.Messages},
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			for _, n := range r.Needs {
				judgeNeed(p, subject, r, n)
			}
		})
	},
}

func judgeNeed(p *triage.Pass, subject evidence.Subject, r *nodereport.Report, n nodereport.Need) {
	c := triage.Claim{
		Says: "kernel-module-missing", Subject: subject, Certainty: triage.Likely, Key: n.Name, Fill: map[string]string{"module": n.Name},
		Evidence: []evidence.Ref{facts.ReportRef(r, n.Ref, n.Kind+" "+n.Name, "%s", n.State)},
	}
	if n.Kind == "sysctl" {
		c.Says, c.Fill = "kernel-setting-wrong", nil
	}
	complaint := complains(p, subject.Name, n.Name)
	switch {
	case n.State == "missing":
		c.Summary = fmt.Sprintf("this kernel has no module %s, which %s needs", n.Name, n.By)
	case n.State == "loadable" && complaint != nil:
		c.Summary = fmt.Sprintf("module %s, which %s needs, is not loaded, and the node reports errors", n.Name, n.By)
	case n.State == "wrong":
		c.Summary = fmt.Sprintf("%s is %s, but %s needs %s", n.Name, n.Have, n.By, n.Want)
	case n.State == "ok" && n.AtBoot == "none" && n.Name == "br_netfilter":
		// Nothing loads it on demand, so it is missing after the next boot. Other modules load when they are used.
		c.Certainty, c.Severity = triage.Possible, catalog.Info
		c.Summary = fmt.Sprintf("module %s is loaded, but no file in modules-load.d loads it at boot", n.Name)
	case n.State == "ok":
		p.RuleOut(c.Says, subject, n.Ref)
		return
	case n.State == "unknown":
		p.Unknown("whether the kernel has "+n.Name+", which "+n.By+" needs", "not all lists of its modules could be read", shell.Format("modprobe -n -v {module}", n.Name))
		return
	default:
		return
	}
	if complaint != nil && n.State != "ok" {
		c.Certainty = triage.Certain
		c.Evidence = append(c.Evidence, complaint.Ref)
	}
	p.Found(c)
}

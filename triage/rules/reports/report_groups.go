package reports

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// manyGroups is more memory cgroups than pods, units and recent removals explain: a node has hundreds. The kernel allows 65,535.
const manyGroups = 20_000

// Groups checks removed memory cgroups that the kernel still keeps.
var Groups = &triage.Rule{
	ID:    "report-groups",
	Doc:   "Reads the number of memory cgroups, and the number of removed memory cgroups that the kernel still keeps (dying cgroups).",
	Needs: []evidence.Kind{evidence.NodeReports},
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			g := r.Groups
			if g == nil || g.Memory < manyGroups && (g.Dying == nil || *g.Dying < manyGroups) {
				return
			}
			text := fmt.Sprintf("the kernel has %d memory cgroups", g.Memory)
			if g.Dying != nil {
				text += fmt.Sprintf(", %d of them dying (removed, but not freed)", *g.Dying)
			}
			p.Found(triage.Claim{
				Says: "kernel-bug", Subject: subject, Certainty: triage.Possible, Severity: catalog.Warning, Key: "control groups",
				Evidence: []evidence.Ref{facts.ReportRef(r, g.Ref, "/proc/cgroups", "%d", g.Memory)}, Summary: text,
			})
		})
	},
}

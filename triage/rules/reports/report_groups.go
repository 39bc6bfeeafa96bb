package reports

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// manyGroups is how many memory groups are more than pods, units and what was just removed can account for: a node has hundreds. The
// kernel has room for 65,535.
const manyGroups = 20_000

// Groups judges control groups of memory that were removed and do not go.
var Groups = &triage.Rule{
	ID:    "report-groups",
	Doc:   "Reads the number of memory control groups, and of those that were removed and are kept.",
	Needs: []evidence.Kind{evidence.NodeReports},
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			g := r.Groups
			if g == nil || g.Memory < manyGroups && (g.Dying == nil || *g.Dying < manyGroups) {
				return
			}
			text := fmt.Sprintf("the kernel keeps %d memory control groups", g.Memory)
			if g.Dying != nil {
				text += fmt.Sprintf(", %d of them removed", *g.Dying)
			}
			p.Found(triage.Claim{
				Says: "kernel-bug", Subject: subject, Certainty: triage.Possible, Severity: catalog.Warning, Key: "control groups",
				Evidence: []evidence.Ref{facts.ReportRef(r, g.Ref, "/proc/cgroups", "%d", g.Memory)}, Summary: text,
			})
		})
	},
}

package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// saidByTaint maps kernel taints to causes. A taint shows that it happened since the boot, but not when; a warning is not a fault.
var saidByTaint = map[string]string{"soft-lockup": "kernel-lockup", "oops": "kernel-bug", "bad-page": "kernel-bug", "machine-check": "machine-hardware-failure"}

// Kernel checks the kernel's taints, and whether the modules of the running kernel are installed.
var Kernel = &triage.Rule{
	ID:    "report-kernel",
	Doc:   "Reads the kernel's taints, and whether the modules of the running kernel are installed.",
	Needs: []evidence.Kind{evidence.NodeReports},
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			k := r.Kernel
			if k == nil {
				return
			}
			for _, taint := range k.Taints {
				if says := saidByTaint[taint]; says != "" {
					p.Found(triage.Claim{
						Says: says, Subject: subject, Certainty: triage.Possible, Severity: catalog.Warning, Key: "taint " + taint,
						Evidence: []evidence.Ref{facts.ReportRef(r, k.Ref, "/proc/sys/kernel/tainted", "%s", taint)},
						Summary:  "the kernel is tainted: " + strings.ReplaceAll(taint, "-", " "),
					})
				}
			}
			if !k.ModulesMissing {
				return
			}
			running := ""
			if r.Machine != nil {
				running = r.Machine.Kernel
			}
			c := triage.Claim{
				Says: "kernel-module-missing", Subject: subject, Certainty: triage.Possible, Severity: catalog.Warning, Key: "modules of the kernel",
				Evidence: []evidence.Ref{facts.ReportRef(r, "", "/lib/modules", "installed: %s; running: %s", strings.Join(k.Installed, ", "), facts.OrUnknown(running))},
				Summary:  fmt.Sprintf("the modules of the running kernel %s were removed: none can be loaded before a reboot", running),
			}
			if k.RebootPending != "" {
				c.Summary += "; a reboot is pending"
				c.Evidence = append(c.Evidence, facts.ReportRef(r, "", k.RebootPending, "%s", strings.Join(k.RebootFor, ", ")))
			}
			if lacks := slices.IndexFunc(r.Needs, func(n nodereport.Need) bool { return n.Kind == "module" && n.State != "ok" }); lacks >= 0 {
				c.Certainty, c.Severity = triage.Likely, ""
				c.Summary += "; " + r.Needs[lacks].By + " needs " + r.Needs[lacks].Name
				c.Fill = map[string]string{"module": r.Needs[lacks].Name}
			}
			p.Found(c)
		})
	},
}

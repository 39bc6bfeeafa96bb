package reports

import (
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// nearlyUsedUp is the share, in percent, at which a limited table is about to refuse entries.
const nearlyUsedUp = 95

// saidByCounter maps a table to its cause or symptom when it is full.
var saidByCounter = map[string]string{
	"conntrack": "conntrack-table-full", "inotify-instances": "inotify-exhaustion", "inotify-watches": "inotify-exhaustion",
	"neighbours": "neighbour-table-full", "file-handles": "open-files-exhausted", "mounts": "mount-table-full",
}

// Counters checks kernel resources with a limit.
var Counters = &triage.Rule{
	ID:    "report-counters",
	Doc:   "Compares conntrack entries, mounts, inotify instances and watches, neighbor entries, open files and cgroup tasks with their limits.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.NodeReports},
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			for _, c := range r.Counters {
				says, known := saidByCounter[c.Name]
				group, pids := strings.CutPrefix(c.Name, "pids ")
				program, files := strings.CutPrefix(c.Name, "open-files ")
				switch {
				case pids:
					says = "pid-exhaustion"
				case files:
					says = "open-files-exhausted"
				}
				if c.Max == 0 || !known && !pids && !files {
					continue
				}
				text := fmt.Sprintf("%d of %d %s are used", c.Used, c.Max, strings.ReplaceAll(c.Name, "-", " "))
				if pids {
					text = fmt.Sprintf("%s uses %d of at most %d tasks", group, c.Used, c.Max)
				}
				if files {
					text = fmt.Sprintf("%s has %d of at most %d files open", program, c.Used, c.Max)
				}
				if facts.Percent(c.Used, c.Max) < nearlyUsedUp {
					if !files && p.Catalog.Cause(says) != nil {
						p.RuleOut(says, subject, text)
					}
					continue
				}
				claim := triage.Claim{
					Says: says, Subject: subject, Certainty: triage.Likely, Summary: text, Key: c.Name,
					Evidence: []evidence.Ref{facts.ReportRef(r, "", c.Ref, "%d of %d %s", c.Used, c.Max, c.Note)},
				}
				switch {
				case pids && !facts.OfNode(group):
					claim.Certainty, claim.Severity = triage.Possible, catalog.Warning
					claim.Summary += ": its processes cannot start new ones"
				case c.Used >= c.Max:
					claim.Certainty = triage.Certain
				}
				if c.Note != "" {
					claim.Summary += "; " + c.Note
				}
				p.Found(claim)
			}
		})
	},
}

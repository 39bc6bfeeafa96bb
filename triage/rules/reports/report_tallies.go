package reports

import (
	"fmt"
	"path"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// manyDropped is how many packets a CPU may drop within the window without a report: a burst drops some.
const manyDropped = 100

// Tallies checks counts within the window of a report. Earlier counts may be long over. For the node's own services they make a
// cause possible, because these are rarely restarted.
var Tallies = &triage.Rule{
	ID:    "report-tallies",
	Doc:   "Reads conntrack drops, packets dropped by CPUs, and OOM kills of cgroups during the node-check.",
	Needs: []evidence.Kind{evidence.NodeReports},
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			for _, t := range r.Tallies {
				c := triage.Claim{Subject: subject, Key: t.Name, Certainty: triage.Possible, Severity: catalog.Warning,
					Evidence: []evidence.Ref{facts.ReportRef(r, t.Ref, t.Name, "%d", t.Total)}}
				within := fmt.Sprintf("%d within %s", t.InWindow, wording.Duration(t.Window))
				group, killed := strings.CutPrefix(t.Name, "oom-kill ")
				switch {
				case t.Name == "conntrack-drop" && t.InWindow > 0:
					c.Says, c.Summary = "conntrack-table-full", "the conntrack table drops packets: "+within
					if full(r, "conntrack") {
						c.Certainty, c.Severity = triage.Certain, ""
					}
				case t.Name == "backlog-drop" && t.InWindow >= manyDropped:
					c.Says, c.Summary = "packet-loss", "CPUs dropped packets because of a full backlog: "+within
				case killed && strings.HasPrefix(group, "kubepods") && t.InWindow > 0:
					c.Says, c.Summary = "container-memory-limit-oom", "the kernel OOM-kills processes of pods: "+within
				case killed && serviceOfNode(group) && t.InWindow > 0:
					c.Says, c.Certainty, c.Severity = "memory-pressure-oom", triage.Likely, ""
					c.Summary = fmt.Sprintf("the kernel OOM-kills processes of %s: %s", group, within)
				case killed && serviceOfNode(group) && t.Total > 0:
					c.Says = "memory-pressure-oom"
					c.Summary = fmt.Sprintf("the kernel has OOM-killed %s of %s since its start", wording.Count(int(t.Total), "process"), group)
				default:
					continue
				}
				if limit := memoryLimit(r, path.Base(group)); c.Says == "memory-pressure-oom" && limit > 0 {
					c.Says = "service-memory-limit"
					c.Summary += fmt.Sprintf("; its memory limit is %d MiB", limit>>20)
				}
				p.Found(c)
			}
		})
	},
}

// serviceOfNode reports whether a cgroup belongs to a single unit: a slice counts for all its units.
func serviceOfNode(group string) bool {
	return strings.HasSuffix(group, ".service") && facts.OfNode(group)
}

// memoryLimit returns the memory limit of a unit; 0: none, or unknown.
func memoryLimit(r *nodereport.Report, unit string) uint64 {
	for _, u := range r.Units {
		if u.Name == unit {
			return u.MemoryMax
		}
	}
	return 0
}

// full reports whether a counter has reached its limit, or nearly.
func full(r *nodereport.Report, name string) bool {
	for _, c := range r.Counters {
		if c.Name == name && c.Max > 0 && facts.Percent(c.Used, c.Max) >= nearlyUsedUp {
			return true
		}
	}
	return false
}

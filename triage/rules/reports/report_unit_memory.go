package reports

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// UnitMemory checks whether a unit that keeps stopping is OOM-killed at its own memory limit.
var UnitMemory = &triage.Rule{
	ID:    "report-unit-memory",
	Doc:   "Reads the memory limits of the kubelet's and runtime's units if a unit was OOM-killed (by the result of the unit, or by a counter of its cgroup).",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.NodeReports},
	Reads: facts.AfterReport,
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			for _, u := range r.Units {
				says, _ := facts.SaidByUnit(u.Name)
				// With cgroups v1 systemd only records that the process was killed.
				killed := u.Result == "oom-kill" || killedForMemory(r, u.Name)
				signalled := u.Result == "signal" && slices.Contains([]string{"9", "9/KILL", "KILL"}, u.ExitStatus)
				if says == "" || slices.Contains([]string{"active", "reloading", "refreshing"}, u.Active) || !killed && !signalled {
					continue
				}
				claim := triage.Claim{
					Says: "service-memory-limit", Subject: subject, Certainty: triage.Likely, Key: u.Name + " memory", Since: u.Since,
					Evidence: []evidence.Ref{facts.ReportRef(r, u.Ref, u.Name, "Active: %s (%s)", u.Active, u.Sub)},
					Summary:  fmt.Sprintf("the kernel OOM-kills %s at its memory limit of %d MiB (%s)", u.Name, u.MemoryMax>>20, state(u)),
				}
				switch {
				case u.MemoryMax == 0:
					p.Unknown("why "+u.Name+" is killed", "signal 9 is sent by the kernel (out of memory) or by a user", shell.Format("dmesg -T | grep -E 'oom-kill:|Killed process'; systemctl show {unit} -p MemoryMax", u.Name))
					continue
				case !killed:
					claim.Certainty = triage.Possible
					claim.Summary = fmt.Sprintf("%s is killed by signal 9 and has a memory limit of %d MiB (%s)", u.Name, u.MemoryMax>>20, state(u))
				}
				facts.FoundByReport(p, r, claim)
			}
		})
	},
}

// killedForMemory reports whether processes in the cgroup of a unit were OOM-killed since it was created.
func killedForMemory(r *nodereport.Report, unit string) bool {
	return slices.ContainsFunc(r.Tallies, func(t nodereport.Tally) bool {
		group, ok := strings.CutPrefix(t.Name, "oom-kill ")
		return ok && path.Base(group) == unit && t.Total > 0
	})
}

package reports

import (
	"fmt"
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// Tasks compares the number of processes and threads with the limits of the machine and of units.
var Tasks = &triage.Rule{
	ID:    "report-tasks",
	Doc:   "Compares the task counts of the node and of the kubelet's and runtime's units with their limits.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.NodeReports},
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			if t := r.Tasks; t != nil && t.Max > 0 {
				if t.Current*100 >= t.Max*95 {
					p.Found(triage.Claim{
						Says: "pid-exhaustion", Subject: subject, Certainty: triage.Certain, Key: "tasks",
						Evidence: []evidence.Ref{facts.ReportRef(r, t.Ref, "tasks", "%d of %d", t.Current, t.Max)},
						Summary:  fmt.Sprintf("%d of %d tasks are used", t.Current, t.Max),
					})
				} else if t.Current > 0 {
					p.RuleOut("pid-exhaustion", subject, fmt.Sprintf("%d of %d tasks are used", t.Current, t.Max))
				}
			} else if t != nil && t.Current > 0 {
				p.Unknown("the task limit of "+facts.TheNode(r.Node), "the limit was not read", "cat /proc/sys/kernel/pid_max /proc/sys/kernel/threads-max")
			}
			for _, u := range r.Units {
				part, _ := facts.SaidByUnit(u.Name) // other units at their limit only affect themselves
				if part != "" && u.TasksMax > 0 && u.Tasks*100 >= u.TasksMax*98 {
					p.Found(triage.Claim{
						Says: "pid-exhaustion", Subject: subject, Certainty: triage.Likely, Key: u.Name,
						Evidence: []evidence.Ref{facts.ReportRef(r, "", u.Name, "Tasks: %d (limit: %d)", u.Tasks, u.TasksMax)},
						Summary:  fmt.Sprintf("%s uses %d of at most %d tasks", u.Name, u.Tasks, u.TasksMax),
					})
				}
			}
		})
	},
	// The output of the command is in the evidence; the command line itself proves nothing.
	JudgesInstead: func(p *triage.Pass, _ *evidence.Match) bool {
		return slices.ContainsFunc(p.Snapshot.NodeReports(), func(r *nodereport.Report) bool {
			return r.Tasks != nil && r.Tasks.Current > 0 && r.Tasks.Max > 0
		})
	},
}

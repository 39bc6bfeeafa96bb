package reports

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// kubeletPort10250 is the default port of the kubelet.
const kubeletPort10250 = 10250

// Processes checks processes and listening sockets: a missing kubelet or runtime, and processes stuck in the kernel.
var Processes = &triage.Rule{
	ID:    "report-processes",
	Doc:   "Reads ps and ss of the node for kubelet and runtime, and for processes stuck in the kernel.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.NodeReports},
	Reads: facts.AfterReport,
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			for _, name := range r.NotRunning {
				stopped, _ := facts.SaidByUnit(name)
				if c := components.OfProcess(name); c != nil && c.Role == components.Runtime {
					stopped = c.Stopped()
				}
				if stopped != "" {
					facts.FoundByReport(p, r, triage.Claim{
						Says: stopped, Subject: subject, Certainty: triage.Likely, Key: "ps " + name,
						Evidence: []evidence.Ref{facts.ReportRef(r, "", "ps", "no process of %s", name)}, Summary: "no process of " + name + " is running",
					})
				}
			}
			for _, proc := range r.Processes {
				name := path.Base(firstWord(proc.Command))
				stopped, _ := facts.SaidByUnit(name)
				switch {
				case strings.HasPrefix(proc.State, "D") && (stopped != "" || strings.HasPrefix(name, "runc") || strings.Contains(name, "shim")):
					p.Found(triage.Claim{
						Says: "hung-task", Subject: subject, Key: name,
						Evidence: []evidence.Ref{facts.ReportRef(r, proc.Ref, "ps", "%d %s %s", proc.PID, proc.State, proc.Command)},
					})
				case stopped != "":
					p.RuleOut(stopped, subject, fmt.Sprintf("%[2]s is running as process %[1]d", proc.PID, name))
				}
			}
			judgeListeners(p, subject, r)
		})
	},
}

func judgeListeners(p *triage.Pass, subject evidence.Subject, r *nodereport.Report) {
	l := r.Listeners
	if l == nil {
		return
	}
	for _, s := range l.Sockets {
		if s.Port == kubeletPort10250 {
			p.RuleOut("kubelet-stopped", subject, "something listens on the kubelet's port")
			return
		}
	}
	if kubeletRuns(r) {
		p.Unknown("whether the kubelet of "+facts.TheNode(r.Node)+" starts", "it is running, but nothing listens on its port yet", "ss -tlnp | grep 10250, in a minute")
		return
	}
	asked := false
	for _, port := range l.Asked {
		asked = asked || port == kubeletPort10250
	}
	switch {
	case asked || l.Complete:
		facts.FoundByReport(p, r, triage.Claim{
			Says: "kubelet-stopped", Subject: subject, Certainty: triage.Likely, Key: "listener",
			Evidence: []evidence.Ref{facts.ReportRef(r, l.Ref, "listening sockets", "none on port %d", kubeletPort10250)},
			Summary:  fmt.Sprintf("nothing listens on the kubelet's port %d", kubeletPort10250),
		})
	default:
		p.Unknown("whether the kubelet of "+facts.TheNode(r.Node)+" listens", "only some sockets were read", "ss -tlnp | grep 10250")
	}
}

// kubeletRuns reports whether the report shows a kubelet process, one of its sockets, or its active unit, because a pasted list may
// be partial. A kubelet that just started does not listen yet.
func kubeletRuns(r *nodereport.Report) bool {
	if l := r.Listeners; l != nil && slices.ContainsFunc(l.Sockets, func(s nodereport.Socket) bool { return s.Process == "kubelet" }) {
		return true
	}
	if slices.ContainsFunc(r.Units, func(u nodereport.Unit) bool {
		stopped, _ := facts.SaidByUnit(u.Name)
		return stopped == "kubelet-stopped" && u.Active == "active" && u.Sub == "running"
	}) {
		return true
	}
	return slices.ContainsFunc(r.Processes, func(proc nodereport.Process) bool {
		return path.Base(firstWord(proc.Command)) == "kubelet" && !strings.HasPrefix(proc.State, "Z")
	})
}

func firstWord(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), " ")
	return s
}

package rules

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/nodereport"
	"github.com/nodetriage/nodetriage/triage"
)

// reportLimits judges processes, swap, CNI files and modules that a node shows.
var reportLimits = &triage.Rule{
	ID:  "report-limits",
	Doc: "Reads task counts, swap devices, the CNI folders and searched-for modules of a node.",
	Check: func(p *triage.Pass) {
		eachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			if t := r.Tasks; t != nil && t.Max > 0 && t.Current*100 >= t.Max*95 {
				p.Found(triage.Claim{
					Says: "pid-exhaustion", Subject: subject, Confidence: triage.Certain, Key: "tasks",
					Evidence: []evidence.Ref{reportRef(r, t.Ref, "tasks", "%d of %d", t.Current, t.Max)},
					Summary:  fmt.Sprintf("%d of %d tasks are used", t.Current, t.Max),
				})
			}
			for _, u := range r.Units {
				if u.TasksMax > 0 && u.Tasks*100 >= u.TasksMax*98 {
					p.Found(triage.Claim{
						Says: "pid-exhaustion", Subject: subject, Confidence: triage.Likely, Key: u.Name,
						Evidence: []evidence.Ref{reportRef(r, u.Ref, u.Name, "Tasks: %d (limit: %d)", u.Tasks, u.TasksMax)},
						Summary:  fmt.Sprintf("%s uses %d of its %d tasks", u.Name, u.Tasks, u.TasksMax),
					})
				}
			}
			if len(r.Swaps) > 0 {
				p.Found(triage.Claim{
					Says: "swap-enabled", Subject: subject, Confidence: triage.Possible,
					Evidence: []evidence.Ref{reportRef(r, "", "swap", "%v", r.Swaps)},
					Summary:  "swap is on; a kubelet with failSwapOn refuses to start",
				})
			}
			if c := r.CNI; c != nil {
				if c.Configs != nil && len(c.Configs) == 0 {
					p.Found(triage.Claim{
						Says: "cni-not-installed", Subject: subject, Confidence: triage.Likely,
						Evidence: []evidence.Ref{reportRef(r, c.Ref, c.ConfigDir, "no network configuration")},
						Summary:  "there is no network configuration in " + c.ConfigDir,
					})
				}
				if c.Binaries != nil && len(c.Binaries) == 0 {
					p.Found(triage.Claim{
						Says: "cni-binary-missing", Subject: subject, Confidence: triage.Likely,
						Evidence: []evidence.Ref{reportRef(r, c.Ref, c.BinDir, "no plugin")},
						Summary:  "there is no network plugin in " + c.BinDir,
					})
				}
			}
			if m := r.Modules; m != nil {
				for _, name := range m.Asked {
					p.Found(triage.Claim{
						Says: "kernel-module-missing", Subject: subject, Confidence: triage.Possible, Key: name,
						Evidence: []evidence.Ref{reportRef(r, m.Ref, "lsmod", "no line for %s", name)},
						Summary:  "lsmod shows no module " + name + " (it may be built into the kernel)",
						Fill:     map[string]string{"module": name},
					})
				}
			}
		})
	},
}

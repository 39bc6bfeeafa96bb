package rules

import (
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/nodereport"
	"github.com/nodetriage/nodetriage/triage"
)

// manyRestarts of a unit since boot are more than an update or two explain.
const manyRestarts = 5

// reportUnits judges the systemd units of kubelet and runtime.
var reportUnits = &triage.Rule{
	ID:  "report-units",
	Doc: "Reads systemctl status of kubelet and runtime: stopped, failed, restarting.",
	Check: func(p *triage.Pass) {
		eachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			for _, u := range r.Units {
				stopped, looping := "", ""
				switch strings.TrimSuffix(u.Name, ".service") {
				case "kubelet", "k3s-agent", "rke2-agent":
					stopped, looping = "kubelet-stopped", "kubelet-crash-looping"
				case "containerd", "docker", "crio", "cri-o", "cri-docker", "cri-dockerd":
					stopped, looping = "runtime-down", "runtime-down"
				default:
					continue
				}
				ref := reportRef(r, u.Ref, u.Name, "Active: %s (%s)", u.Active, u.Sub)
				claim := triage.Claim{Subject: subject, Evidence: []evidence.Ref{ref}, Key: u.Name, Since: u.Since}
				switch {
				case u.Sub == "auto-restart" || u.Active == "activating" || u.Restarts >= manyRestarts:
					claim.Says, claim.Confidence = looping, triage.Likely
					claim.Summary = fmt.Sprintf("%s starts and exits again and again (%s)", u.Name, state(u))
				case u.Active == "failed" || u.Active == "inactive" || u.Load == "masked":
					claim.Says, claim.Confidence = stopped, triage.Certain
					claim.Summary = fmt.Sprintf("%s does not run (%s)", u.Name, state(u))
				case u.Active == "active":
					p.RuleOut(stopped, subject, u.Name+" is active")
					continue
				default:
					continue
				}
				p.Found(claim)
			}
		})
	},
}

func state(u nodereport.Unit) string {
	parts := []string{strings.TrimSpace(u.Active + " " + u.Sub)}
	if u.Result != "" {
		parts = append(parts, "result "+u.Result)
	}
	if u.ExitStatus != "" {
		parts = append(parts, "status "+u.ExitStatus)
	}
	if u.Restarts > 0 {
		parts = append(parts, fmt.Sprintf("%d restarts", u.Restarts))
	}
	return strings.Join(parts, ", ")
}

package reports

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// Endpoints checks sockets that need a server: the network agent of the configured plugin, storage drivers, device plugins. The
// socket of a removed driver looks like that of a crashed one, so these are only possible.
var Endpoints = &triage.Rule{
	ID:    "report-endpoints",
	Doc:   "Reads whether the sockets of network agents, storage drivers and device plugins accept connections.",
	Needs: []evidence.Kind{evidence.NodeReports},
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			for _, e := range r.Endpoints {
				if e.Answer != "refused" && e.Answer != "hung" {
					continue
				}
				c := triage.Claim{Subject: subject, Key: e.Path, Fill: map[string]string{"path": e.Path}, Certainty: triage.Possible, Severity: catalog.Warning,
					Evidence: []evidence.Ref{facts.ReportRef(r, e.Ref, e.Path, "%s", e.Answer)},
					Summary:  fmt.Sprintf("nothing listens on %s", e.Path)}
				if e.Answer == "hung" {
					c.Summary = fmt.Sprintf("the process that serves %s does not accept connections", e.Path)
				}
				switch {
				case e.Kind == "network" && asksThere(r, e.Path):
					c.Certainty, c.Severity, c.Says = triage.Likely, "", "cni-agent-crash"
					c.Summary += ", the socket of the network plugin"
					if e.Answer == "hung" {
						c.Says = "cni-agent-hung"
					}
				case e.Kind == "csi" && e.Answer == "hung":
					c.Says = "storage-backend-hang"
				case e.Kind == "csi":
					c.Says = "system-pods-not-running"
					c.Summary += ": the storage driver is not running, or was removed"
				case e.Kind == "device-plugin" && gpuSocket(e.Path):
					c.Says = "gpu-device-plugin"
				default:
					continue
				}
				p.Found(c)
			}
		})
	},
}

// asksThere reports whether a plugin of the configured network connects to the socket.
func asksThere(r *nodereport.Report, socket string) bool {
	return r.CNI != nil && r.CNI.Network != nil && slices.ContainsFunc(r.CNI.Network.Plugins, func(n nodereport.Plugin) bool {
		return components.AsksAt(n.Type, socket)
	})
}

func gpuSocket(name string) bool {
	name = path.Base(name)
	return strings.Contains(name, "nvidia") || strings.Contains(name, "amd.com") || strings.Contains(name, "gpu")
}

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

// StaticPods checks for invalid files in the static pod folder: the kubelet skips them and continues.
var StaticPods = &triage.Rule{
	ID:    "report-static-pods",
	Doc:   "Reads the static pod manifests of the kubelet.",
	Needs: []evidence.Kind{evidence.NodeReports},
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			for _, s := range r.StaticPods {
				if s.Error == "" {
					continue
				}
				c := triage.Claim{
					Says: "system-pods-not-running", Subject: subject, Certainty: triage.Possible, Severity: catalog.Warning, Key: s.File, Fill: map[string]string{"path": s.File},
					Evidence: []evidence.Ref{facts.ReportRef(r, s.Ref, s.File, "%s", s.Error)},
					Summary:  fmt.Sprintf("the kubelet cannot use the static pod in %s: %s", s.File, strings.TrimSpace(s.Error)),
				}
				if ofControlPlane(path.Base(s.File)) || ofControlPlane(s.Name) {
					c.Says, c.Certainty, c.Severity = "control-plane-degraded", triage.Likely, ""
				}
				p.Found(c)
			}
		})
	},
}

// ofControlPlane reports whether the name of a pod or its file is that of a control plane component.
func ofControlPlane(name string) bool {
	return slices.ContainsFunc(components.ControlPlanePods(), func(c *components.Component) bool {
		rest, found := strings.CutPrefix(name, c.Name)
		return found && strings.Trim(rest[:min(len(rest), 1)], ".-") == ""
	})
}

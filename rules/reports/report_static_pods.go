package reports

import (
	"fmt"
	"path"
	"strings"

	"github.com/nodetriage/nodetriage/catalog"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/lazyregexp"
	"github.com/nodetriage/nodetriage/nodereport"
	"github.com/nodetriage/nodetriage/rules/facts"
	"github.com/nodetriage/nodetriage/triage"
)

// controlPlanePod are the names of the pods of a control plane, and of their files.
var controlPlanePod = lazyregexp.New(`^(?:kube-apiserver|kube-controller-manager|kube-scheduler|etcd)\b`)

// StaticPods judges files in the folder of static pods that are no pods: the kubelet leaves them out and goes on.
var StaticPods = &triage.Rule{
	ID:    "report-static-pods",
	Doc:   "Reads the manifests in the kubelet's folder of static pods.",
	Needs: []evidence.Kind{evidence.NodeReports},
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			for _, s := range r.StaticPods {
				if s.Error == "" {
					continue
				}
				c := triage.Claim{
					Says: "system-pods-not-running", Subject: subject, Confidence: triage.Possible, Severity: catalog.Warning, Key: s.File, Fill: map[string]string{"path": s.File},
					Evidence: []evidence.Ref{facts.ReportRef(r, s.Ref, s.File, "%s", s.Error)},
					Summary:  fmt.Sprintf("the kubelet cannot use the static pod in %s: %s", s.File, strings.TrimSpace(s.Error)),
				}
				if controlPlanePod.MatchString(path.Base(s.File)) || controlPlanePod.MatchString(s.Name) {
					c.Says, c.Confidence, c.Severity = "control-plane-degraded", triage.Likely, ""
				}
				p.Found(c)
			}
		})
	},
}

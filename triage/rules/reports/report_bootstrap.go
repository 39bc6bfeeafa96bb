package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// saidByExitCode maps exit codes of the AKS bootstrap script to their causes (Azure/AgentBaker cse_helpers.sh).
var saidByExitCode = map[string]string{"50": "provision-outbound-blocked", "51": "provision-apiserver-blocked", "52": "provision-dns-failed", "53": "provision-dns-failed"}

// bootstrapUnits are units whose failure is a failure of the bootstrap.
var bootstrapUnits = []string{"nodeadm-config.service", "nodeadm-run.service", "cloud-final.service"}

// Bootstrap checks the results of the programs that turn a machine into a node. If the kubelet works, a failed step did not matter
// much.
var Bootstrap = &triage.Rule{
	ID:    "report-bootstrap",
	Doc:   "Reads the results of cloud-init, Ignition, nodeadm and AKS's bootstrap script on the node.",
	Needs: []evidence.Kind{evidence.NodeReports},
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			failed := false
			found := func(says, name, line, text string) {
				failed = true
				c := triage.Claim{Says: says, Subject: subject, Certainty: triage.Likely, Key: name, Summary: text,
					Evidence: []evidence.Ref{facts.ReportRef(r, line, name, "%s", text)}}
				if r.Kubelet != nil && r.Kubelet.Healthz == "ok" {
					c.Certainty, c.Severity = triage.Possible, catalog.Info
				}
				p.Found(c)
			}
			for _, b := range r.Bootstrap {
				if b.Result != "failed" {
					continue
				}
				says := "provision-script-failed"
				if b.Program == "aks-provision" && saidByExitCode[b.Code] != "" {
					says = saidByExitCode[b.Code]
				}
				text := b.Program + " failed"
				if b.Code != "" {
					text += " with exit code " + b.Code
				}
				found(says, b.Program, b.Ref, strings.TrimSuffix(fmt.Sprintf("%s: %s", text, b.Error), ": "))
			}
			for _, u := range r.Units {
				if slices.Contains(bootstrapUnits, u.Name) && u.Active == "failed" {
					found("provision-script-failed", u.Name, u.Ref, fmt.Sprintf("%s failed (%s)", u.Name, state(u)))
				}
			}
			if len(r.Bootstrap) > 0 && !failed && !slices.ContainsFunc(r.Bootstrap, func(b nodereport.Bootstrap) bool { return b.Result != "ok" }) {
				p.RuleOut("provision-script-failed", subject, r.Bootstrap[0].Program+" succeeded")
			}
		})
	},
}

package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/nodereport"
	"github.com/nodetriage/nodetriage/triage"
)

// reportCNI judges the folders of network configuration and plugins: what is empty was never installed, or
// was removed.
var reportCNI = &triage.Rule{
	ID:  "report-cni",
	Doc: "Reads /etc/cni/net.d and /opt/cni/bin of the node.",
	Check: func(p *triage.Pass) {
		eachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			c := r.CNI
			if c == nil {
				return
			}
			claim := triage.Claim{Subject: subject, Confidence: triage.Likely}
			configs := slices.DeleteFunc(slices.Clone(c.Configs), func(f string) bool {
				return !strings.HasSuffix(f, ".conf") && !strings.HasSuffix(f, ".conflist") && !strings.HasSuffix(f, ".json")
			})
			switch {
			case c.Configs == nil:
			case len(configs) == 0:
				claim.Says, claim.Summary = "cni-not-installed", "there is no network configuration in "+c.ConfigDir
				claim.Evidence = []evidence.Ref{reportRef(r, c.Ref, c.ConfigDir, "no network configuration")}
				p.Found(claim)
			default:
				p.RuleOut("cni-not-installed", subject, fmt.Sprintf("%s holds %s", c.ConfigDir, some(configs)))
			}
			switch {
			case c.Binaries == nil:
				if c.Configs != nil {
					p.Unknown(strings.TrimSpace("the network plugins of "+r.Node), "their folder was not listed", "ls -l /opt/cni/bin")
				}
			case len(c.Binaries) == 0:
				claim.Says, claim.Summary = "cni-binary-missing", "there is no network plugin in "+c.BinDir
				claim.Evidence = []evidence.Ref{reportRef(r, c.Ref, c.BinDir, "no plugin")}
				p.Found(claim)
			default:
				p.RuleOut("cni-binary-missing", subject, fmt.Sprintf("%s holds %s", c.BinDir, count(len(c.Binaries), "plugin")))
			}
		})
	},
}

package reports

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// CNI checks the folders of network configuration and plugins: an empty folder was never filled, or was cleared.
var CNI = &triage.Rule{
	ID:    "report-cni",
	Doc:   "Reads /etc/cni/net.d and /opt/cni/bin of the node.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.NodeReports},
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			c := r.CNI
			if c == nil {
				return
			}
			claim := triage.Claim{Subject: subject, Certainty: triage.Likely}
			configs := slices.DeleteFunc(slices.Clone(c.Configs), func(f string) bool {
				return !strings.HasSuffix(f, ".conf") && !strings.HasSuffix(f, ".conflist") && !strings.HasSuffix(f, ".json")
			})
			switch {
			case c.Configs == nil:
			case len(configs) == 0:
				claim.Says, claim.Summary = "cni-not-installed", "there is no network configuration in "+c.ConfigDir
				claim.Evidence = []evidence.Ref{facts.ReportRef(r, c.Ref, c.ConfigDir, "no network configuration")}
				p.Found(claim)
			case notLoaded(p, r):
				claim.Says, claim.Certainty = "cni-not-installed", triage.Possible
				claim.Summary = fmt.Sprintf("%s contains %s, and the runtime has not loaded it", c.ConfigDir, wording.Some(configs))
				claim.Evidence = []evidence.Ref{facts.ReportRef(r, "", c.ConfigDir, "%s, not loaded by the runtime", wording.Some(configs))}
				p.Found(claim)
			default:
				p.RuleOut("cni-not-installed", subject, fmt.Sprintf("%s contains %s", c.ConfigDir, wording.Some(configs)))
			}
			judgeNetwork(p, subject, r)
			switch {
			case c.Binaries == nil:
				if c.Configs != nil {
					p.Unknown("the network plugins of "+facts.TheNode(r.Node), "the folder was not listed", "ls -l /opt/cni/bin")
				}
			case facts.LacksPlugin(c):
			case len(c.Binaries) == 0:
				claim.Says, claim.Summary = "cni-binary-missing", "there is no network plugin in "+c.BinDir
				claim.Evidence = []evidence.Ref{facts.ReportRef(r, c.PluginsRef(), c.BinDir, "no plugin")}
				p.Found(claim)
			case len(c.Hollow) > 0 && !networkShown(p, r.Node):
				claim.Says, claim.Summary = "cni-binary-missing", "empty files in "+c.BinDir+" (0 bytes): "+wording.Some(c.Hollow)
				claim.Evidence = []evidence.Ref{facts.ReportRef(r, c.PluginsRef(), c.BinDir, "0 bytes: %s", wording.Some(c.Hollow))}
				p.Found(claim)
			case hasPlugins(c):
				p.RuleOut("cni-binary-missing", subject, fmt.Sprintf("%s contains all plugins that %s calls", c.BinDir, c.Network.File))
			case networkShown(p, r.Node), c.Configs != nil && len(configs) == 0: // already reported
			default:
				p.Unknown("whether the network of "+facts.TheNode(r.Node)+" has all required plugins",
					fmt.Sprintf("%s contains %s, but the CNI configuration was not read", c.BinDir, wording.Count(len(c.Binaries), "plugin")), shell.Format("cat {folder}/*.conf*", configDir(c)))
			}
		})
	},
}

// networkShown reports whether a report of the node has the configuration that its runtime uses.
func networkShown(p *triage.Pass, node string) bool {
	return slices.ContainsFunc(p.Snapshot.Reports(node), func(r *nodereport.Report) bool { return r.CNI != nil && r.CNI.Network != nil })
}

// configDir returns the folder of the network configuration.
func configDir(c *nodereport.CNI) string {
	return cmp.Or(c.ConfigDir, "/etc/cni/net.d")
}

// cniVersions are the valid versions of network configurations (containernetworking/cni pkg/version/version.go, v1.3).
var cniVersions = []string{"0.1.0", "0.2.0", "0.3.0", "0.3.1", "0.4.0", "1.0.0", "1.1.0"}

// judgeNetwork checks the configuration that the runtime takes, and the plugins that it names.
func judgeNetwork(p *triage.Pass, subject evidence.Subject, r *nodereport.Report) {
	n := r.CNI.Network
	if n == nil {
		return
	}
	claim := triage.Claim{Subject: subject, Certainty: triage.Certain, Key: n.File, Fill: map[string]string{"path": n.File, "cni-config": n.File}}
	found := func(says, locator, summary string) {
		claim.Says, claim.Summary = says, summary
		claim.Evidence = []evidence.Ref{facts.ReportRef(r, "", locator, "%s", summary)}
		p.Found(claim)
	}
	if n.Error != "" {
		found("cni-config-invalid", n.File, fmt.Sprintf("%s, the first file, is invalid: %s", n.File, n.Error))
		return
	}
	p.RuleOut("cni-config-invalid", subject, n.File+" is valid")
	if n.Version != "" && !slices.Contains(cniVersions, n.Version) {
		found("cni-config-version-invalid", n.File, fmt.Sprintf("%s has the unknown cniVersion %s", n.File, n.Version))
	}
	for _, plugin := range n.Plugins {
		name := path.Join(r.CNI.BinDir, plugin.Type)
		switch plugin.State {
		case "missing":
			found("cni-binary-missing", name, fmt.Sprintf("%s calls %s, but %s does not exist", n.File, plugin.Type, name))
		case "not-executable":
			found("cni-binary-missing", name, fmt.Sprintf("%s calls %s, but %s is not executable", n.File, plugin.Type, name))
		case "empty":
			found("cni-binary-missing", name, fmt.Sprintf("%s calls %s, but %s is empty (0 bytes)", n.File, plugin.Type, name))
		}
	}
}

package reports

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// neededModules are kernel modules that networks and runtimes of nodes use. Another missing module means nothing, and may be
// intended.
var neededModules = lazyregexp.New(`^(?:br_netfilter|overlay|vxlan|geneve|ipip|ip_vs(?:_\w+)?|nf_conntrack(?:_\w+)?|nf_nat(?:_\w+)?|ip_tables|iptable_\w+|ip6table_\w+|nf_tables|nft_\w+|xt_\w+|veth|bridge|dummy|wireguard|openvswitch|tun|ip_set(?:_\w+)?|aufs|rbd|iscsi_tcp|nfs)$`)

// Modules checks modules that a person searched for in lsmod. The claim is certain if a message of the node names that module;
// otherwise it may be built into the kernel.
var Modules = &triage.Rule{
	ID:    "report-modules",
	Doc:   "Finds modules that the network or the runtime needs and that are not loaded (lsmod).",
	Needs: []evidence.Kind{evidence.NodeReports},
	Reads: []evidence.Kind{evidence.Messages, evidence.Nodes},
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			m := r.Modules
			if m == nil {
				return
			}
			for _, name := range m.Asked {
				if !neededModules.MatchString(name) || slices.Contains(m.Builtin, name) {
					continue
				}
				complaint := complains(p, subject.Name, name)
				builtin := "whether the kernel of " + facts.TheNode(r.Node) + " has module " + name + " built in"
				ask := shell.Format("grep {module} /lib/modules/$(uname -r)/modules.builtin; modprobe -n -v {module}", name, name)
				if complaint == nil && works(p, subject.Name) {
					p.Unknown(builtin, "lsmod shows only loadable modules, and the node is Ready without it", ask)
					continue
				}
				c := triage.Claim{
					Says: "kernel-module-missing", Subject: subject, Certainty: triage.Possible, Key: name,
					Evidence: []evidence.Ref{facts.ReportRef(r, m.Ref, "lsmod", "no line for %s", name)},
					Summary:  "lsmod shows no module " + name + " (it may be built into the kernel)",
					Fill:     map[string]string{"module": name},
				}
				if complaint != nil {
					c.Certainty = triage.Certain
					c.Summary = "module " + name + " is not loaded, and the node fails without it"
					c.Evidence = append(c.Evidence, complaint.Ref)
				} else if m.Builtin == nil {
					p.Unknown(builtin, "lsmod shows only loadable modules", ask)
				}
				p.Found(c)
			}
			for _, name := range m.Loaded {
				if neededModules.MatchString(name) && complains(p, subject.Name, name) != nil {
					p.RuleOut("kernel-module-missing", subject, name+" is loaded now")
				}
			}
		})
	},
}

// works reports whether the node is Ready, so that it does not miss the module.
func works(p *triage.Pass, node string) bool {
	n := p.Snapshot.Node(node)
	return n != nil && n.Ready() == evidence.True
}

// complains returns a message of the network or runtime of that node that names the module.
func complains(p *triage.Pass, node, module string) *evidence.Match {
	for _, id := range []string{"kernel-module-missing", "cni-agent-crash", "cni-add-failed", "network-unavailable", "kube-proxy-failing", "runtime-down"} {
		for _, m := range facts.SaidOf(p, id, node) {
			for _, text := range facts.Texts(m) {
				if names(strings.ToLower(text), module) {
					return m
				}
			}
		}
	}
	return nil
}

// calledSo maps modules to the names that programs use for them.
var calledSo = map[string]string{"ip_set": "ipset", "ip_vs": "ipvs"}

// names reports whether a line in lower case names the module; the command that searched for it does not count.
func names(line, module string) bool {
	if strings.Contains(line, "lsmod") || strings.Contains(line, "/proc/modules") {
		return false
	}
	word := calledSo[module]
	return strings.Contains(line, module) || word != "" && strings.Contains(line, word)
}

package reports

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// takesPods reports whether a target in FORWARD accepts packets of pods: a chain of a network plugin does.
func takesPods(target string) bool {
	owner := components.OfRules("filter", target)
	return target == "ACCEPT" || owner != nil && owner.Role == components.Network
}

// takesNone matches targets that accept no packets of pods. The chain of kube-proxy only accepts traffic to services.
var takesNone = lazyregexp.New(`^(?:KUBE-|DOCKER|ufw|DROP$|REJECT$)`)

// bothSides is the number of kube-proxy rules in each of two backends above which they are not remains of another program.
const bothSides = 10

// PacketFilter checks the node's packet filter: a policy that drops packets of pods, kube-proxy rules in two backends, and
// kube-proxy without rules.
var PacketFilter = &triage.Rule{
	ID:    "report-packet-filter",
	Doc:   "Reads iptables, nftables and ipvs of the node: the policy of FORWARD, and the backend of kube-proxy's rules.",
	Needs: []evidence.Kind{evidence.NodeReports},
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			if f := r.PacketFilter; f != nil {
				for _, b := range f.Backends {
					judgeForward(p, subject, r, b)
				}
				judgeProxyRules(p, subject, r, f)
			}
		})
	},
}

func judgeForward(p *triage.Pass, subject evidence.Subject, r *nodereport.Report, b nodereport.Backend) {
	if b.Policies["filter FORWARD"] != "DROP" || b.Cut || slices.ContainsFunc(b.Forward, takesPods) {
		return
	}
	c := triage.Claim{
		Says: "host-firewall-drops", Subject: subject, Certainty: triage.Likely, Key: "FORWARD " + b.Name,
		Evidence: []evidence.Ref{facts.ReportRef(r, "", b.Name+" filter FORWARD", "policy DROP; its rules jump to %s", facts.OrUnknown(strings.Join(b.Forward, ", ")))},
		Summary:  "the policy of iptables FORWARD is DROP, and no chain of a network agent accepts pod traffic",
	}
	if slices.ContainsFunc(b.Forward, func(to string) bool { return !takesNone.MatchString(to) }) {
		c.Certainty, c.Severity = triage.Possible, catalog.Warning // a chain of another program may accept them
	}
	p.Found(c)
}

func judgeProxyRules(p *triage.Pass, subject evidence.Subject, r *nodereport.Report, f *nodereport.PacketFilter) {
	rules := map[string]int{}
	cut := false
	for _, b := range f.Backends {
		cut = cut || b.Cut
		if n := b.Owners["kube-proxy"]; n > 0 {
			rules[b.Name] = n
		}
		if b.Name == "ipvs" && b.Rules > 0 {
			rules[b.Name] = b.Rules
		}
	}
	ref := []evidence.Ref{facts.ReportRef(r, f.Ref, "packet filter", "")}
	switch names := slices.Sorted(maps.Keys(rules)); {
	case rules["legacy"] >= bothSides && rules["nft"] >= bothSides:
		p.Found(triage.Claim{
			Says: "kube-proxy-failing", Subject: subject, Certainty: triage.Possible, Severity: catalog.Warning, Key: "two backends", Evidence: ref,
			Summary: fmt.Sprintf("kube-proxy has rules in two backends (iptables-legacy: %d, nftables: %d): one of them is stale", rules["legacy"], rules["nft"]),
		})
	case len(names) == 0 && !cut && runs(r, "kube-proxy"):
		p.Found(triage.Claim{
			Says: "kube-proxy-failing", Subject: subject, Certainty: triage.Likely, Key: "no rules", Evidence: ref,
			Summary: "kube-proxy is running, but the kernel has none of its rules",
		})
	}
}

// runs reports whether a program is among the processes of the report.
func runs(r *nodereport.Report, program string) bool {
	return slices.ContainsFunc(r.Processes, func(proc nodereport.Process) bool {
		return path.Base(firstWord(proc.Command)) == program && !strings.HasPrefix(proc.State, "Z")
	})
}

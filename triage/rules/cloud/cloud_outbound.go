package cloud

import (
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/cloud/advice"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// Outbound compares nodes that report blocked egress with the network's rules: a security group that denies it, a default route to
// an appliance, and an API server with authorized IP ranges.
var Outbound = &triage.Rule{
	ID:       "cloud-outbound",
	Doc:      "Compares nodes that report blocked outbound connections with the security groups and routes that block them.",
	NeedsOne: []evidence.Kind{evidence.Messages, evidence.CloudState},
	Reads:    []evidence.Kind{evidence.Nodes, evidence.CloudLog},
	Check: func(p *triage.Pass) {
		admitted(p)
		word := facts.LinesSaying(p, "provision-outbound-blocked")
		groups, tables := evidence.SecurityGroups(p.Snapshot.Data()), facts.Resources[*evidence.CloudRouteTable](p)
		if len(word) == 0 {
			for _, g := range groups {
				closed(p, g)
			}
			return
		}
		hosts := namedHosts(word)
		list := requiredHosts(p, hosts)
		if len(groups) == 0 && len(tables) == 0 {
			p.Unknown("what blocks egress", "security groups and routes of the nodes' subnet were not read",
				facts.Cloud(p).Command(advice.ShowNetworkRules)+", and the firewall's log"+listOf(p))
			return
		}
		blamed := false
		for _, g := range groups {
			if rule := g.Denial(); rule != "" {
				blamed = true
				blame(p, word, triage.Certain, fmt.Sprintf("security group %s denies HTTPS to the internet by rule %s", g.Name, rule)+writtenBy(p, &g.CloudItem), append([]evidence.Ref{facts.CloudRef(g, "securityRules", rule)}, list...))
			}
		}
		for _, t := range tables {
			if hop := t.DefaultRoute; t.ToAppliance || t.Drops {
				blamed = true
				blame(p, word, triage.Likely, fmt.Sprintf("route table %s sends all traffic to %s, which blocks egress of the nodes", t.Name, hop)+writtenBy(p, &t.CloudItem),
					append([]evidence.Ref{facts.CloudRef(t, "routes", "0.0.0.0/0 to "+hop)}, list...))
			}
		}
		if !blamed {
			elsewhere(p, hosts, list)
		}
	},
}

// elsewhere records what to check if neither security groups nor routes block the egress of nodes.
func elsewhere(p *triage.Pass, hosts []string, list []evidence.Ref) {
	why, how := "no security group or route that was read denies HTTPS to the internet", shell.Format("the log of the firewall and the DNS servers of the network")
	if len(hosts) > 0 {
		how += " for " + shell.List("host", hosts)
	}
	for _, ref := range list {
		why += "; " + ref.Text
	}
	p.Unknown("what blocks egress", why, how+"; effective rules of a network interface: "+facts.Cloud(p).Command(advice.ShowRulesInForce)+listOf(p))
}

// listOf returns the command that lists the required endpoints of the cluster, if the list was not read.
func listOf(p *triage.Pass) shell.Text {
	if len(facts.Resources[*evidence.CloudRequired](p)) > 0 {
		return ""
	}
	return "; required outbound endpoints: " + facts.Cloud(p).Command(advice.ShowRequiredHosts, clusterID(p))
}

// writtenBy describes who last changed the resource, if the activity log shows it.
func writtenBy(p *triage.Pass, r *evidence.CloudItem) string {
	var last *evidence.CloudActivity
	for _, a := range p.Snapshot.Data().CloudActivities {
		written := strings.HasSuffix(strings.ToLower(a.Operation), "/write") && strings.EqualFold(a.Status, "Succeeded")
		if written && facts.OnResource(a, r.ID) && a.NewerThan(last) {
			last = a
		}
	}
	if last == nil {
		return ""
	}
	return ", last changed by " + facts.OrUnknown(last.Caller) + " at " + last.Time.Format("2006-01-02T15:04:05Z07:00")
}

// blame claims the block for every subject that reported it.
func blame(p *triage.Pass, word []*evidence.Match, sure triage.Certainty, summary string, refs []evidence.Ref) {
	seen := map[evidence.Subject]bool{}
	for _, m := range word {
		if seen[m.Subject] {
			continue
		}
		seen[m.Subject] = true
		p.Found(triage.Claim{
			Says: "provision-outbound-blocked", Subject: m.Subject, Certainty: sure, Key: refs[0].Locator, Since: m.First,
			Summary: summary, Evidence: append([]evidence.Ref{refs[0], m.Ref}, refs[1:]...),
		})
	}
}

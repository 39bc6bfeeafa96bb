package rules

import (
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// cloudOutbound holds a node's word that it does not reach the outside against the network's rules: a security group
// that denies it, a default route to an appliance.
var cloudOutbound = &triage.Rule{
	ID:  "cloud-outbound",
	Doc: "Joins nodes that report blocked egress with security groups and routes that block it.",
	Check: func(p *triage.Pass) {
		word := linesSaying(p, "provision-outbound-blocked")
		groups, tables := resources(p, "security-group"), resources(p, "route-table")
		if len(word) == 0 {
			for _, g := range groups {
				if g.Properties["deniesOutbound"] == "" {
					p.RuleOut("provision-outbound-blocked", evidence.ClusterSubject(), "security group "+g.Name+" does not deny HTTPS to the internet, and no node reports that it is blocked")
				}
			}
			return
		}
		if len(groups) == 0 && len(tables) == 0 {
			p.Unknown("what blocks the way out", "security groups and routes of the nodes' subnet were not read",
				"az network nsg show and az network route-table show of the subnet, and the firewall's log")
			return
		}
		for _, g := range groups {
			if rule := g.Properties["deniesOutbound"]; rule != "" {
				blame(p, word, triage.Certain, fmt.Sprintf("security group %s denies HTTPS to the internet by rule %s", g.Name, rule)+writtenBy(p, g), cloudRef(g, "securityRules", rule))
			}
		}
		for _, t := range tables {
			if hop := t.Properties["defaultRoute"]; strings.HasPrefix(hop, "VirtualAppliance") || strings.HasPrefix(hop, "None") {
				blame(p, word, triage.Likely, fmt.Sprintf("route table %s sends everything to %s: it or the firewall behind it does not let the nodes out", t.Name, hop)+writtenBy(p, t),
					cloudRef(t, "routes", "0.0.0.0/0 to "+hop))
			}
		}
	},
}

// writtenBy tells who changed the resource last, if the activity log shows it.
func writtenBy(p *triage.Pass, r *evidence.CloudResource) string {
	var last *evidence.CloudActivity
	for _, a := range p.Snapshot.Data().CloudActivities {
		on := strings.ToLower(a.Resource)
		if id := strings.ToLower(r.ID); id != "" && (on == id || strings.HasPrefix(on, id+"/")) && strings.HasSuffix(strings.ToLower(a.Operation), "/write") &&
			strings.EqualFold(a.Status, "Succeeded") && (last == nil || a.Time.After(last.Time)) {
			last = a
		}
	}
	if last == nil {
		return ""
	}
	return ", changed last by " + orUnknown(last.Caller) + " at " + last.Time.Format("2006-01-02T15:04:05Z07:00")
}

// blame claims the block for everybody who said that it is there.
func blame(p *triage.Pass, word []*evidence.Match, sure triage.Confidence, summary string, ref evidence.Ref) {
	seen := map[evidence.Subject]bool{}
	for _, m := range word {
		if seen[m.Subject] {
			continue
		}
		seen[m.Subject] = true
		p.Found(triage.Claim{
			Says: "provision-outbound-blocked", Subject: m.Subject, Confidence: sure, Key: ref.Locator, Since: m.First,
			Summary: summary, Evidence: []evidence.Ref{ref, m.Ref},
		})
	}
}

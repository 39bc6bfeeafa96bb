package cloud

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/cloud/advice"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// closed claims the effect of a security group on egress that no node complains about. A group that denies egress can be why a pool
// failed. If all nodes are healthy it is harmless, because what they need may be inside.
func closed(p *triage.Pass, g *evidence.CloudSecurityGroup) {
	rule, of := g.Denial(), "security group "+g.Name
	let, denied := g.Exceptions(false), g.Exceptions(true)
	of = strings.TrimSpace(of)
	for _, pool := range unexplained(p) {
		if rule != "" && len(let) == 0 && holdsFor(g, pool) {
			closedFor(p, g, about(pool), canBeWhy(pool, ""))
		}
	}
	asked := len(p.Snapshot.Nodes()) == 0 && len(facts.Resources[*evidence.CloudPool](p)) == 0
	why := ""
	switch {
	case rule != "" && len(let) == 0:
		if asked { // only network rules were read
			closedFor(p, g, evidence.ClusterSubject(), "if it applies to nodes: ")
		}
		return
	case rule != "":
		why = fmt.Sprintf("rule %s denies HTTPS to the internet except to %s", rule, wording.Some(let))
	case len(denied) > 0:
		why = "it denies HTTPS to " + wording.Some(denied)
	case !g.Part:
		p.RuleOut("provision-outbound-blocked", evidence.ClusterSubject(), of+" does not deny HTTPS to the internet, and no node reports that it is blocked")
		return
	default:
		why = "its rules that were read do not deny HTTPS to the internet; there may be more rules"
	}
	if asked || len(unexplained(p)) > 0 || slices.ContainsFunc(p.Snapshot.Nodes(), (*evidence.Node).NotReady) {
		p.Unknown("whether "+of+" allows the required outbound endpoints", why, facts.Cloud(p).Command(advice.ShowNetworkRules)+listOf(p))
	}
}

// closedFor claims that nodes of the subject have no egress.
func closedFor(p *triage.Pass, g *evidence.CloudSecurityGroup, on evidence.Subject, whom string) {
	p.Found(triage.Claim{
		Says: "provision-outbound-blocked", Subject: on, Certainty: triage.Possible, Key: "closed",
		Summary:  whom + strings.TrimSpace("security group "+g.Name) + " denies HTTPS to the internet by rule " + g.Denial() + writtenBy(p, &g.CloudItem),
		Evidence: []evidence.Ref{facts.CloudRef(g, "securityRules", g.Denial())},
	})
}

// holdsFor reports whether the group may belong to the pool's subnet.
func holdsFor(g *evidence.CloudSecurityGroup, pool *evidence.CloudPool) bool {
	return pool.Subnet == "" || len(g.Subnets) == 0 || slices.ContainsFunc(g.Subnets, func(id string) bool { return strings.EqualFold(id, pool.Subnet) })
}

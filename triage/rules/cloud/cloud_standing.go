package cloud

import (
	"strings"

	"github.com/nodetriage/nodetriage/cloud/advice"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// standing claims possible reasons for a failed pool without an error: a full quota, a lock, a policy, an unavailable size, a
// missing permission of the cluster.
func standing(p *triage.Pass, cause string) {
	for _, pool := range unexplained(p) {
		var can []evidence.Ref
		switch cause {
		case "cloud-quota-exceeded":
			can = facts.QuotasOf(p, pool)
		case "cloud-public-ip-limit":
			can, _ = facts.StateOf(p, cause)
		case "cloud-resource-locked":
			can = append(facts.LocksOf(p, pool), facts.Closed(p)...)
		case "cloud-policy-denied":
			var perhaps []evidence.Ref
			if can, perhaps = facts.PoliciesOf(p, pool); len(perhaps) > 0 {
				p.Unknown("whether a policy denies changes of "+named(pool), perhaps[0].Text+"; the effect (deny or audit) was not read", facts.Cloud(p).Command(advice.ShowPolicies))
			}
		case "cloud-capacity-unavailable":
			can, _ = facts.RestrictedSizeOf(p, pool)
			if perhaps := facts.PerhapsRestrictedOf(p, pool); len(perhaps) > 0 {
				can = append(can, perhaps...)
				p.Unknown("which zones pool "+pool.Name+" is in", perhaps[0].Text, facts.Cloud(p).Command(advice.ShowZones, pool.Name))
			}
		case "cloud-permission-denied":
			can = facts.MissingRoleOf(p, pool)
		}
		if len(can) == 0 {
			continue
		}
		p.Found(triage.Claim{
			Says: cause, Subject: about(pool), Certainty: triage.Possible, Key: "standing", Evidence: append(can, saidOf(p, pool)...),
			Summary: canBeWhy(pool, "") + can[0].Text,
		})
	}
}

// alone claims a full quota or limit, a lock or a denying policy if no failure is in the evidence: it is not a fault yet.
func alone(p *triage.Pass, cause string, proof []evidence.Ref) {
	data := p.Snapshot.Data()
	if len(proof) == 0 || len(data.Nodes)+len(data.CloudActivities) > 0 || len(facts.Resources[*evidence.CloudPool](p))+len(facts.Resources[*evidence.CloudSaid](p)) > 0 {
		return
	}
	c := triage.Claim{Says: cause, Subject: evidence.ClusterSubject(), Certainty: triage.Possible, Severity: catalog.Warning, Key: "alone", Evidence: proof}
	switch cause {
	case "cloud-quota-exceeded":
		c.Summary = proof[0].Text + ": no more VMs of this size can be created, neither for scaling nor for upgrade surge"
	case "cloud-public-ip-limit":
		c.Summary = proof[0].Text + ": no more public IP addresses for nodes and load balancers"
	case "cloud-policy-denied":
		c.Summary = proof[0].Text + ": changes are denied until the resource complies with the policy"
	case "cloud-resource-locked":
		stops := "scaling down and upgrades"
		if strings.Contains(proof[0].Text, "ReadOnly") {
			stops = "every change"
		}
		c.Summary = proof[0].Text + ": it blocks " + stops + " of the nodes in it"
	default:
		return
	}
	p.Found(c)
}

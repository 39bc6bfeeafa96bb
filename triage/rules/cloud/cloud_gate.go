package cloud

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// Gate finds upgrades that a health monitor stopped. The cloud stops an upgrade at the first False of a monitor with a policy, and ignores
// the verdicts of others.
var Gate = &triage.Rule{
	ID:    "cloud-gate",
	Doc:   "Finds verdicts with which a health monitor stopped an upgrade: UpgradeGatePolicies and HealthSignals.",
	Needs: []evidence.Kind{evidence.CloudState},
	Check: func(p *triage.Pass) {
		gates, verdicts := facts.Resources[*evidence.CloudGate](p), facts.Resources[*evidence.CloudVerdict](p)
		refused := false
		for _, v := range verdicts {
			if v.Status != evidence.False {
				continue
			}
			c := triage.Claim{
				Says: "upgrade-gate-refused", Subject: v.About, Certainty: triage.Certain, Since: v.Since, Evidence: []evidence.Ref{v.Ref},
				Fill:    map[string]string{"provider": v.Provider, "signal": v.Name},
				Summary: fmt.Sprintf("health monitor %s stopped the upgrade: %s is unhealthy (%s): %s", cmp.Or(v.Provider, "without a provider label"), refusedObject(v), v.Reason, v.Message),
			}
			armed := slices.ContainsFunc(gates, func(g *evidence.CloudGate) bool { return g.Provider == v.Provider })
			switch {
			case v.Provider == "", !armed && len(gates) > 0:
				continue // the cloud ignores it
			case !armed:
				c.Certainty = triage.Likely
				p.Unknown("whether the verdict of "+v.Provider+" counts", "no UpgradeGatePolicy was read", "kubectl get upgradegatepolicies -o yaml")
			}
			p.Found(c)
			refused = true
		}
		if len(verdicts) > 0 && !refused {
			p.RuleOut("upgrade-gate-refused", evidence.ClusterSubject(), "no health monitor with a policy reports False")
		}
	},
}

// refusedObject names what a verdict is about.
func refusedObject(v *evidence.CloudVerdict) string {
	if v.About.Kind == "Node" {
		return "node " + v.About.Name
	}
	return "the " + cmp.Or(v.Scope, "cluster")
}

package cloud

import (
	"github.com/nodetriage/nodetriage/cloud/advice"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// Subscription reads the state of the account behind the cluster, and its registered resource providers.
var Subscription = &triage.Rule{
	ID:    "cloud-subscription",
	Doc:   "Reads the state of the subscription and of its resource providers.",
	Needs: []evidence.Kind{evidence.CloudState},
	Check: func(p *triage.Pass) {
		for _, s := range facts.Resources[*evidence.CloudAccount](p) {
			state := s.Standing
			c := triage.Claim{
				Says: "cloud-subscription-disabled", Subject: evidence.ClusterSubject(), Certainty: triage.Certain, Key: "state",
				Summary:  "the subscription is " + state + ": its resources cannot be changed, and its VMs may be stopped",
				Evidence: []evidence.Ref{facts.CloudRef(s, "state", state)},
			}
			switch s.May {
			case evidence.AllowedYes:
				p.RuleOut("cloud-subscription-disabled", evidence.ClusterSubject(), "its state is "+state)
			case evidence.AllowedNo:
				p.Found(c)
			case evidence.AllowedWarned:
				c.Severity, c.Certainty = catalog.Warning, triage.Likely
				c.Summary = "the subscription is " + state + ": it will be disabled unless this is resolved"
				p.Found(c)
			default:
				p.Unknown("whether the subscription is active", "its state is "+facts.OrUnknown(state)+", an unknown value", facts.Cloud(p).Command(advice.ShowAccount))
			}
		}
		for _, r := range facts.Resources[*evidence.CloudService](p) {
			if r.Disabled {
				name, state := r.Service, r.Standing
				if len(facts.LinesSaying(p, "cloud-provider-not-registered")) == 0 && !r.Needed {
					continue // most providers are not needed
				}
				p.Found(triage.Claim{
					Says: "cloud-provider-not-registered", Subject: evidence.ClusterSubject(), Certainty: triage.Certain, Key: name,
					Summary:  "the subscription is not registered for " + name,
					Evidence: []evidence.Ref{facts.CloudRef(r, "registrationState", name+" "+state)},
				})
			}
		}
	},
}

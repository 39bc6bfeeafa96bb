package cloud

import (
	"strings"

	"github.com/nodetriage/nodetriage/cloud/advice"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// Power finds stopped clusters: they have no nodes, and nothing else is wrong.
var Power = &triage.Rule{
	ID:    "cloud-power",
	Doc:   "Reads the power state of the managed cluster.",
	Needs: []evidence.Kind{evidence.CloudState},
	Check: func(p *triage.Pass) {
		for _, c := range facts.Resources[*evidence.CloudCluster](p) {
			switch {
			case c.Power == "":
				p.Unknown("whether the cluster "+c.Name+" is started", "its power state was not read", facts.Cloud(p).Command(advice.ShowPower))
			case c.Up.Off():
				p.Found(triage.Claim{
					Says: "cloud-cluster-stopped", Subject: evidence.ClusterSubject(), Certainty: triage.Certain, Key: "power",
					Summary:  strings.TrimSpace("the cluster "+c.Name) + " is stopped and has no nodes",
					Evidence: []evidence.Ref{facts.CloudRef(c, "powerState", c.Power)},
				})
			default:
				p.RuleOut("cloud-cluster-stopped", evidence.ClusterSubject(), "its power state is "+c.Power)
			}
		}
	},
}

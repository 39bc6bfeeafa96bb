package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// correlated names what nodes that fail together share and healthy nodes do not have.
var correlated = &triage.Rule{
	ID:    "correlated",
	Doc:   "Finds cohorts of failing nodes and the zone, pool, image or version that sets them apart.",
	Needs: []evidence.Kind{evidence.Nodes},
	Check: func(p *triage.Pass) {
		for _, c := range triage.Cohorts(p.Snapshot) {
			var shared []string
			for _, k := range slices.Sorted(maps.Keys(c.Shared)) {
				if k != "minute" {
					shared = append(shared, k+" "+c.Shared[k])
				}
			}
			if len(c.Nodes) < 3 || len(shared) == 0 {
				continue // two nodes share something by chance
			}
			subject := evidence.ClusterSubject()
			if z := c.Shared["zone"]; z != "" {
				subject = evidence.Subject{Kind: "Zone", Name: z}
			} else if pool := c.Shared["pool"]; pool != "" {
				subject = evidence.Subject{Kind: "Pool", Name: pool}
			}
			claim := triage.Claim{
				Says: "correlated-failure", Subject: subject, Confidence: triage.Likely, Key: strings.Join(c.Nodes, ","),
				Summary: fmt.Sprintf("%d nodes fail together and share %s, which healthy nodes do not have", len(c.Nodes), strings.Join(shared, ", ")),
			}
			if c.Since != nil {
				claim.Since = *c.Since
			}
			for _, name := range c.Nodes[:min(len(c.Nodes), 3)] {
				n := p.Snapshot.Node(name)
				claim.Evidence = append(claim.Evidence, nodeRef(n, ".status.conditions[Ready]", "not Ready since %s; %s", since(n).Format("15:04:05Z"), strings.Join(shared, ", ")))
			}
			p.Found(claim)
		}
	},
}

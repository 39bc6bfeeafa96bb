package nodes

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// fewest is the minimum size of a cohort: two nodes may share something by chance.
const fewest = 3

// Correlated reports what nodes that fail together share and healthy nodes do not have.
var Correlated = &triage.Rule{
	ID:    "correlated",
	Doc:   "Finds groups of failing nodes and what they share: zone, pool, image, versions, devices, kubelet settings, DaemonSets, taints, labels.",
	Needs: []evidence.Kind{evidence.Nodes},
	Check: func(p *triage.Pass) {
		cohorts := triage.Cohorts(p.Snapshot)
		down := 0
		for _, n := range p.Snapshot.Nodes() {
			if n.NotReady() {
				down++
			}
		}
		found := false
		for _, c := range cohorts {
			found = sharedBy(p, c) || found
		}
		switch {
		case found || down < fewest:
		case len(cohorts) == 0 && down == len(p.Snapshot.Nodes()):
			p.Unknown("what the failing nodes share", "there is no healthy node to compare them with", "kubectl get nodes -o json, for the whole cluster")
		default:
			p.RuleOut("correlated-failure", evidence.ClusterSubject(), fmt.Sprintf("%d nodes are NotReady, but they share nothing that healthy nodes do not have", down))
		}
	},
}

func sharedBy(p *triage.Pass, c triage.Cohort) bool {
	var shared []string
	labels := true
	for _, k := range slices.Sorted(maps.Keys(c.Shared)) {
		if k != "minute" {
			shared = append(shared, k+" "+c.Shared[k])
			labels = labels && strings.HasPrefix(k, "label ")
		}
	}
	if len(c.Nodes) < fewest || len(shared) == 0 {
		return false
	}
	subject := evidence.ClusterSubject()
	if z := c.Shared["zone"]; z != "" {
		subject = evidence.Subject{Kind: "Zone", Name: z}
	} else if pool := c.Shared["pool"]; pool != "" {
		subject = evidence.Subject{Kind: "Pool", Name: pool}
	}
	claim := triage.Claim{
		Says: "correlated-failure", Subject: subject, Certainty: triage.Likely, Key: strings.Join(c.Nodes, ","),
		Summary: fmt.Sprintf("%d nodes failed together and share %s, which healthy nodes do not have", len(c.Nodes), strings.Join(shared, ", ")),
	}
	if labels { // nodes have many labels, and some agree by chance
		claim.Certainty = triage.Possible
	}
	if c.Since != nil {
		claim.Since = *c.Since
	}
	for _, name := range c.Nodes[:fewest] {
		n := p.Snapshot.Node(name)
		when := ""
		if t := facts.Since(n); !t.IsZero() {
			when = " since " + t.Format("15:04:05Z")
		}
		claim.Evidence = append(claim.Evidence, facts.NodeRef(n, ".status.conditions[Ready]", "NotReady%s; %s", when, strings.Join(shared, ", ")))
	}
	p.Found(claim)
	if image := c.Shared["node image"]; image != "" {
		newImage(p, c, image)
	}
	return true
}

// newImage claims the image that only the nodes of the cohort have. Other differences of these nodes come with the image.
func newImage(p *triage.Pass, c triage.Cohort, image string) {
	for _, name := range c.Nodes {
		n := p.Snapshot.Node(name)
		p.Found(triage.Claim{
			Says: "node-image-defective", Subject: n.Subject(), Certainty: triage.Likely, Since: facts.Since(n), Key: "cohort", Shared: true,
			Summary:  fmt.Sprintf("%d nodes with image %s failed together, and no healthy node has it: stop its rollout", len(c.Nodes), image),
			Evidence: []evidence.Ref{facts.NodeRef(n, ".metadata.labels", "NotReady; node image %s", image)},
		})
	}
}

package nodes

import (
	"fmt"

	"github.com/nodetriage/nodetriage/cloud/advice"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// UpgradeLeftovers finds what a failed or incomplete upgrade leaves behind: quarantined nodes, nodes with the old image in an
// upgraded pool, and surge nodes that were not removed.
var UpgradeLeftovers = &triage.Rule{
	ID:    "upgrade-leftovers",
	Doc:   "Finds quarantined nodes, and pools whose nodes differ from the cloud's data although no upgrade is in progress.",
	Needs: []evidence.Kind{evidence.Nodes},
	Reads: []evidence.Kind{evidence.CloudState},
	Check: func(p *triage.Pass) {
		names, of := facts.Pools(p)
		for _, name := range names {
			quarantined := false
			for _, n := range of[name] {
				if n.Labels[evidence.LabelUpgradeStatus] != "Quarantined" {
					continue
				}
				quarantined = true
				p.Found(triage.Claim{
					Says: "upgrade-stuck", Subject: n.Subject(), Certainty: triage.Certain, Key: "quarantined",
					Summary:  "AKS gave up draining node " + n.Name + " and quarantined it",
					Evidence: []evidence.Ref{facts.NodeRef(n, ".metadata.labels", "%s", evidence.LabelUpgradeStatus+"=Quarantined")},
				})
			}
			pool := facts.CloudPool(p, name)
			if pool == nil && (quarantined || mixedImages(of[name])) {
				p.Unknown("state of the upgrade of pool "+name, "the state of the pool in the cloud was not read",
					facts.Cloud(p).Command(advice.ShowPool)+", or the equivalent of your cloud")
			}
			if pool != nil && !quarantined {
				comparePool(p, pool, name, of[name])
			}
		}
	},
}

// comparePool compares a pool without a running operation in the cloud with its nodes.
func comparePool(p *triage.Pass, pool *evidence.CloudPool, name string, nodes []*evidence.Node) {
	subject := evidence.Subject{Kind: "Pool", Name: name}
	if sign, _ := facts.UpgradeSign(p, name, nodes); sign != "" || pool.Stage != evidence.StageDone {
		return
	}
	complete := p.Snapshot.Covers(evidence.Nodes) == evidence.Complete
	c := triage.Claim{
		Says: "upgrade-stuck", Subject: subject, Certainty: triage.Possible, Severity: catalog.Warning,
		Evidence: []evidence.Ref{facts.CloudRef(pool, "provisioningState", pool.State)}, Fill: map[string]string{"pool": name},
	}
	image := pool.Image
	var old []string
	for _, n := range nodes {
		if v := triage.NodeImage(n); v != "" && image != "" && v != image {
			old = append(old, n.Name)
		}
	}
	wanted := pool.Count.Value
	surplus := len(nodes) - wanted
	switch {
	case len(old) > 0:
		c.Key = "image"
		c.Summary = fmt.Sprintf("pool %s is reported as upgraded to %s, but %s of %d have another image: %s", name, image, wording.Count(len(old), "node"), len(nodes), wording.Some(old))
		c.Evidence = append(c.Evidence, facts.NodeRef(p.Snapshot.Node(old[0]), ".metadata.labels", "node image %s", triage.NodeImage(p.Snapshot.Node(old[0]))))
	case !complete: // surplus or missing nodes cannot be determined
		return
	case pool.Count.Known && surplus > 0 && pool.Autoscaling != evidence.True:
		c.Key = "surge"
		c.Summary = fmt.Sprintf("pool %s has %s more than its count of %d: leftover surge nodes", name, wording.Count(surplus, "node"), wanted)
	default:
		p.RuleOut("upgrade-stuck", subject, "the pool is Succeeded and its "+wording.Count(len(nodes), "node")+" match the cloud's data")
		return
	}
	p.Found(c)
}

func mixedImages(nodes []*evidence.Node) bool {
	images := map[string]bool{}
	for _, n := range nodes {
		if v := triage.NodeImage(n); v != "" {
			images[v] = true
		}
	}
	return len(images) > 1
}

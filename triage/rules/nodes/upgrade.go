package nodes

import (
	"fmt"
	"maps"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// drainLimit is how long the drain of one node may take before an upgrade counts as stuck: the default of AKS (30 min); EKS stops
// after 15.
const drainLimit = 30 * time.Minute

// Upgrade finds running rolling node upgrades: how many nodes are done, and the node that blocks progress.
var Upgrade = &triage.Rule{
	ID:    "upgrade",
	Doc:   "Finds node pools that are being upgraded, the progress, the node at which the upgrade waits, and what blocks it.",
	Needs: []evidence.Kind{evidence.Nodes},
	Reads: []evidence.Kind{evidence.Pods, evidence.Events, evidence.PDBs, evidence.CloudState, evidence.CloudLog},
	Check: func(p *triage.Pass) {
		names, of := facts.Pools(p)
		budgets := mechanics.NewBudgets(p.Snapshot.PDBs())
		for _, name := range names {
			upgradeOf(p, budgets, name, of[name])
		}
	},
}

func upgradeOf(p *triage.Pass, budgets mechanics.Budgets, pool string, nodes []*evidence.Node) {
	builds := map[string]int{}
	for _, n := range nodes {
		builds[facts.Build(n)]++
	}
	sign, proof := facts.UpgradeSign(p, pool, nodes)
	n, at := longestCordoned(nodes)
	subject := evidence.Subject{Kind: "Pool", Name: pool}
	if sign == "" {
		if n != nil {
			cordonedOnly(p, subject, nodes, builds, n)
		}
		return
	}
	running := runningOperation(p, pool)
	progress := facts.UpgradeProgress(nodes, builds, running)
	c := triage.Claim{Says: "upgrade-in-progress", Subject: subject, Certainty: triage.Likely, Evidence: []evidence.Ref{proof}, Key: pool,
		Summary: fmt.Sprintf("pool %s is being upgraded: %s", pool, progress), Fill: map[string]string{"pool": pool}}
	if a := running; a != nil {
		c.Certainty, c.Since = triage.Certain, a.Time
		c.Evidence = append(c.Evidence, facts.ActivityRef(a))
		progress += "; the operation started " + wording.Ago(p.Now, a.Time)
		words, refs := facts.WhoseUpgrade(p, a)
		progress += words
		c.Evidence = append(c.Evidence, refs...)
		c.Summary = fmt.Sprintf("pool %s is being upgraded: %s", pool, progress)
	}
	if n == nil {
		if running != nil && stalled(p, &c, running, nodes) || len(builds) > 1 || c.Certainty == triage.Certain {
			p.Found(c)
		}
		return
	}
	age, known := p.Age(at)
	c.Since, c.Fill["node"] = at, n.Name
	c.Evidence = append(c.Evidence, facts.NodeRef(n, ".spec.unschedulable", "cordoned %s", wording.Ago(p.Now, at)))
	if !known || age <= drainLimit {
		c.Summary += ", now at node " + n.Name
		p.Found(c)
		return
	}
	c.Says = "upgrade-stuck"
	c.Summary = fmt.Sprintf("the upgrade of pool %s (%s) has waited at node %s for %s", pool, progress, n.Name, wording.Duration(age))
	if h := holdUp(p, budgets, n); h.words != "" {
		c.Summary += " " + h.words
		c.Evidence = append(c.Evidence, h.ref)
		maps.Copy(c.Fill, h.fill)
	}
	p.Found(c)
}

// cordonedOnly judges a pool with a cordoned node and no other sign of an upgrade.
func cordonedOnly(p *triage.Pass, pool evidence.Subject, nodes []*evidence.Node, builds map[string]int, cordoned *evidence.Node) {
	if len(builds) < 2 {
		p.RuleOut("upgrade-stuck", pool, fmt.Sprintf("all of its %s have %s, and there is no sign of an upgrade", wording.Count(len(nodes), "node"), facts.Build(cordoned)))
		return
	}
	if _, held, _ := plainUpgrade(p, nodes); held == nil {
		p.Unknown("whether pool "+pool.Name+" is being upgraded", "its nodes differ ("+facts.DescribeBuilds(builds)+") and "+cordoned.Name+" is cordoned, but there is no other sign of an upgrade",
			"the cloud's activity log of the pool")
	}
}

// longestCordoned returns the node that has been cordoned for longest; one with an unknown time comes last.
func longestCordoned(nodes []*evidence.Node) (node *evidence.Node, at time.Time) {
	for _, n := range nodes {
		if !n.Spec.Unschedulable {
			continue
		}
		t, _ := n.CordonedBy()
		if node == nil || !t.IsZero() && (at.IsZero() || t.Before(at)) {
			node, at = n, t
		}
	}
	return node, at
}

package nodes

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/util/version"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// UpgradePlain finds rolling upgrades that no cloud announces: with kubeadm, an installer script, or by hand.
var UpgradePlain = &triage.Rule{
	ID:    "upgrade-plain",
	Doc:   "Finds upgrades that are visible only in the nodes: the progress, the node at which the upgrade waits, and what blocks it.",
	Needs: []evidence.Kind{evidence.Nodes},
	Reads: []evidence.Kind{evidence.Pods, evidence.PDBs},
	Check: func(p *triage.Pass) {
		names, of := facts.Pools(p)
		budgets := mechanics.NewBudgets(p.Snapshot.PDBs())
		for _, name := range names {
			if sign, _ := facts.UpgradeSign(p, name, of[name]); sign == "" { // otherwise rule upgrade reports it
				plainOf(p, budgets, evidence.Subject{Kind: "Pool", Name: name}, of[name])
			}
		}
		plainOf(p, budgets, evidence.ClusterSubject(), facts.Workers(p))
	},
}

func plainOf(p *triage.Pass, budgets mechanics.Budgets, subject evidence.Subject, nodes []*evidence.Node) {
	target, n, proof := plainUpgrade(p, nodes)
	if n == nil {
		return
	}
	whose := "the nodes"
	if subject.Name != "" {
		whose = "pool " + subject.Name
	}
	done := 0
	for _, n := range nodes {
		if facts.KubeletVersion(n) == target {
			done++
		}
	}
	at, by := n.CordonedBy()
	cordoned := "cordoned " + wording.Ago(p.Now, at)
	if by != "" {
		cordoned += " by " + by
	}
	age, _ := p.Age(at)
	c := triage.Claim{
		Says: "upgrade-in-progress", Subject: subject, Certainty: triage.Likely, Since: at, Key: subject.Name,
		Evidence: []evidence.Ref{proof, facts.NodeRef(n, ".spec.unschedulable", "%s, %s", cordoned, facts.KubeletVersion(n))},
		Fill:     map[string]string{"pool": subject.Name, "node": n.Name},
		Summary:  fmt.Sprintf("%s: %d of %d with %s, at node %s for %s", whose, done, len(nodes), target, n.Name, wording.Duration(age)),
	}
	h := holdUp(p, budgets, n)
	if age > drainLimit {
		c.Says = "upgrade-stuck"
	}
	switch {
	case h.words != "":
		c.Summary += ", where it waits " + h.words
		c.Evidence = append(c.Evidence, h.ref)
		maps.Copy(c.Fill, h.fill)
	case age > drainLimit:
		c.Certainty = triage.Possible // an admin who upgrades by hand may have paused
		c.Summary += "; nothing in the evidence blocks it"
	}
	p.Found(c)
}

// plainUpgrade finds an upgrade that no cloud announces. An old node is cordoned, and a node with a newer kubelet came up at about
// that time. Different versions alone are not an upgrade, and neither is a cordon. Zero values: none.
func plainUpgrade(p *triage.Pass, nodes []*evidence.Node) (target string, held *evidence.Node, ref evidence.Ref) {
	var last *version.Version
	for _, n := range nodes {
		if v, err := version.ParseGeneric(facts.KubeletVersion(n)); err == nil && (last == nil || last.LessThan(v)) {
			last, target = v, facts.KubeletVersion(n)
		}
	}
	if last == nil {
		return "", nil, evidence.Ref{}
	}
	old := slices.DeleteFunc(slices.Clone(nodes), func(n *evidence.Node) bool {
		v, err := version.ParseGeneric(facts.KubeletVersion(n))
		return err != nil || !v.LessThan(last)
	})
	held, at := longestCordoned(old)
	if held == nil || at.IsZero() {
		return "", nil, evidence.Ref{}
	}
	for _, n := range nodes {
		if facts.KubeletVersion(n) != target {
			continue
		}
		if up := facts.CameUp(n); at.Sub(up).Abs() < facts.RecentUpgrade {
			return target, held, facts.NodeRef(n, ".status.nodeInfo.kubeletVersion", "%s, up since %s", target, up.Format(time.RFC3339))
		}
	}
	return "", nil, evidence.Ref{}
}

package nodes

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// SpotNodes claims, for an unreachable node on a spot machine, that the cloud may have reclaimed it.
var SpotNodes = &triage.Rule{
	ID:    "spot-nodes",
	Doc:   "Finds unreachable nodes on spot or preemptible VMs.",
	Needs: []evidence.Kind{evidence.Nodes},
	Check: func(p *triage.Pass) {
		mixed := slices.ContainsFunc(p.Snapshot.Nodes(), func(n *evidence.Node) bool { return facts.SpotLabel(n) != "" })
		for _, n := range p.Snapshot.Nodes() {
			if !n.Silent() {
				continue
			}
			if fresh, _ := facts.Beats(p, n.Name); fresh == evidence.True {
				continue
			}
			key := facts.SpotLabel(n)
			switch {
			case key != "":
				p.Found(triage.Claim{
					Says: "cloud-spot-eviction", Subject: n.Subject(), Certainty: triage.Possible, Since: facts.Since(n),
					Summary:  "the node runs on a spot VM and stopped reporting: the cloud may have evicted the VM",
					Evidence: []evidence.Ref{facts.NodeRef(n, ".metadata.labels", "%s=%s", key, n.Labels[key])},
				})
			case n.Partial && len(n.Labels) == 0:
				p.Unknown("whether "+facts.TheNode(n.Name)+" runs on a spot VM", "its labels were not read", shell.Format("kubectl get node {node} --show-labels", n.Name))
			case mixed:
				p.RuleOut("cloud-spot-eviction", n.Subject(), "no label marks it as a spot VM")
			}
		}
	},
}

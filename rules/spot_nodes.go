package rules

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// spotLabels mark machines that the cloud may take back at any time, by cloud and tool.
var spotLabels = map[string]string{
	"kubernetes.azure.com/scalesetpriority": "spot", "kubernetes.azure.com/priority": "spot",
	"eks.amazonaws.com/capacityType": "SPOT", "karpenter.sh/capacity-type": "spot",
	"cloud.google.com/gke-spot": "true", "cloud.google.com/gke-preemptible": "true",
	"node.kubernetes.io/lifecycle": "spot",
}

// spotNodes remembers, where a node went silent, that the cloud may have taken its machine back.
var spotNodes = &triage.Rule{
	ID:    "spot-nodes",
	Doc:   "Finds silent nodes on spot or preemptible machines.",
	Needs: []evidence.Kind{evidence.Nodes},
	Check: func(p *triage.Pass) {
		mixed := slices.ContainsFunc(p.Snapshot.Data().Nodes, func(n *evidence.Node) bool { return spotLabel(n) != "" })
		for _, n := range p.Snapshot.Data().Nodes {
			if !n.Silent() {
				continue
			}
			if fresh, _ := beats(p, n.Name); fresh == evidence.True {
				continue
			}
			key := spotLabel(n)
			switch {
			case key != "":
				p.Found(triage.Claim{
					Says: "cloud-spot-eviction", Subject: n.Subject(), Confidence: triage.Possible, Since: since(n),
					Summary:  "the node runs on a spot machine and fell silent: the cloud may have taken it back",
					Evidence: []evidence.Ref{nodeRef(n, ".metadata.labels", "%s=%s", key, n.Labels[key])},
				})
			case n.Partial && len(n.Labels) == 0:
				p.Unknown("whether "+n.Name+" runs on a spot machine", "its labels were not seen", "kubectl get node "+n.Name+" --show-labels")
			case mixed:
				p.RuleOut("cloud-spot-eviction", n.Subject(), "no label marks it as a spot machine")
			}
		}
	},
}

func spotLabel(n *evidence.Node) string {
	best := ""
	for key, value := range spotLabels {
		if n.Labels[key] == value && (best == "" || key < best) {
			best = key
		}
	}
	return best
}

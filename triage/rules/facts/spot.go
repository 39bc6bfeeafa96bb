package facts

import "github.com/nodetriage/nodetriage/evidence"

// spotLabels mark spot machines, by cloud and tool.
var spotLabels = map[string]string{
	evidence.LabelScaleSetSpot: "spot", evidence.LabelPriority: "spot",
	"eks.amazonaws.com/capacityType": "SPOT", "karpenter.sh/capacity-type": "spot",
	"cloud.google.com/gke-spot": "true", "cloud.google.com/gke-preemptible": "true",
	"node.kubernetes.io/lifecycle": "spot",
}

// SpotLabel returns the label that marks the node as a spot machine, or "".
func SpotLabel(n *evidence.Node) string {
	best := ""
	for key, value := range spotLabels {
		if n.Labels[key] == value && (best == "" || key < best) {
			best = key
		}
	}
	return best
}

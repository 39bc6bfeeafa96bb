package facts

import "github.com/nodetriage/nodetriage/evidence"

// spotLabels mark machines that the cloud may take back at any time, by cloud and tool.
var spotLabels = map[string]string{
	evidence.LabelScaleSetSpot: "spot", evidence.LabelPriority: "spot",
	"eks.amazonaws.com/capacityType": "SPOT", "karpenter.sh/capacity-type": "spot",
	"cloud.google.com/gke-spot": "true", "cloud.google.com/gke-preemptible": "true",
	"node.kubernetes.io/lifecycle": "spot",
}

// SpotLabel is the label by which the node is one that the cloud may take back at any time; empty: it is none.
func SpotLabel(n *evidence.Node) string {
	best := ""
	for key, value := range spotLabels {
		if n.Labels[key] == value && (best == "" || key < best) {
			best = key
		}
	}
	return best
}

package evidence

// poolLabels name the node pool or node group, by cloud and tool.
var poolLabels = []string{
	LabelAgentPool, "agentpool", "eks.amazonaws.com/nodegroup",
	"cloud.google.com/gke-nodepool", "karpenter.sh/nodepool", "node-pool", "nodepool", "pool",
}

// PoolLabel returns the label that names the node's pool or node group, and its value; "" if it has none.
func (n *Node) PoolLabel() (key, value string) {
	for _, k := range poolLabels {
		if v := n.Labels[k]; v != "" {
			return k, v
		}
	}
	return "", ""
}

// Managed reports whether a label of the node is one that only a service with a control plane of its own sets.
func Managed(n *Node) bool {
	for _, k := range []string{LabelAgentPool, "eks.amazonaws.com/nodegroup", "cloud.google.com/gke-nodepool"} {
		if n.Labels[k] != "" {
			return true
		}
	}
	return false
}

// OfControlPlane reports whether the node has the role of the control plane.
func OfControlPlane(n *Node) bool {
	for _, role := range []string{"control-plane", "master", "controlplane"} {
		if _, has := n.Labels["node-role.kubernetes.io/"+role]; has {
			return true
		}
	}
	return false
}
